import { useQuery } from '@tanstack/react-query';
import type { CardType } from '@headrace/contract/default-settings';
import type { FarmCard } from '@headrace/contract/farms';
import { can, flag, needs, type Need } from '@headrace/contract/permissions';
import { headlinesOf } from '../headlines/headline-configs.ts';
import { useSettings } from '../settings/settings.queries.ts';
import { flowMetersQuery } from '../flow/flow.queries.ts';
import { gatewayMonitorQuery } from '../gateway-io/gateway-io.queries.ts';
import { soilSitesQuery } from '../soil-moisture/soil.queries.ts';
import { tanksQuery } from '../tanks/tanks.queries.ts';
import { presenceOf, type Presence } from './card-slot.tsx';

/** Kinds of card whose content is there. The others keep their place in the order and aren't shown. */
export type BuiltCard = Exclude<CardType, 'IPCStatus' | 'IPCHealth' | 'IPCComms'>;

/** What one must be allowed to, for a card to be on the page. */
export const cardNeeds: Record<BuiltCard, Need> = {
  Headline: needs.tankSummary,
  SoilMoisture: needs.readSensors,
  Tank: needs.tankSummary,
  Flow: needs.tankSummary,
  IO: { anyOf: [flag('dashboard'), flag('sprinklersStatus'), can('gateways', 'Read')] },
};

const isNone = (list: readonly unknown[]) => list.length === 0;

/** Whether there is anything to show on these cards of a farm. Only for these the server is asked. */
export function useCardPresence(
  { _id: farmUID }: FarmCard,
  asked: readonly BuiltCard[],
): Record<BuiltCard, Presence> {
  const enabled = (type: BuiltCard) => ({ enabled: asked.includes(type) });
  const headlines = headlinesOf(useSettings(), farmUID);
  return {
    Headline: { state: headlines.some(({ type }) => type !== 'Empty' && type !== 'None') ? 'has' : 'none' },
    SoilMoisture: presenceOf(useQuery({ ...soilSitesQuery(farmUID), ...enabled('SoilMoisture') }), isNone),
    Tank: presenceOf(useQuery({ ...tanksQuery(farmUID), ...enabled('Tank') }), isNone),
    Flow: presenceOf(useQuery({ ...flowMetersQuery(farmUID), ...enabled('Flow') }), isNone),
    IO: presenceOf(
      useQuery({ ...gatewayMonitorQuery(farmUID), ...enabled('IO') }),
      (monitor) => monitor === null,
    ),
  };
}
