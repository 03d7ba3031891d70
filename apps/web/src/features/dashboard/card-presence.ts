import { useQuery } from '@tanstack/react-query';
import type { CardType } from '@headrace/contract/default-settings';
import type { FarmCard } from '@headrace/contract/farms';
import { can, flag, needs, type Need } from '@headrace/contract/permissions';
import { useSettings } from '../../preferences/settings.queries.ts';
import { useHasChartZone } from '../../time-range/farm-zone.ts';
import { headlinesOf } from '../headlines/headline-configs.ts';
import { flowMetersQuery } from '../flow/flow.queries.ts';
import { gatewayMonitorQuery } from '../gateway-io/gateway-io.queries.ts';
import { soilSitesQuery } from '../soil-moisture/soil.queries.ts';
import { tanksQuery } from '../tanks/tanks.queries.ts';
import { HAS, NONE, presenceOf, waiting, type Presence } from './card-slot.tsx';

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
const isNull = (one: unknown) => one === null;

/**
 * Whether there is anything to show on these cards of a farm. Only for these the server is asked. Cards are drawn once the
 * farm's clock is known: days of another clock would be asked for in vain.
 */
export function useCardPresence(
  { _id: farmUID }: FarmCard,
  asked: readonly BuiltCard[],
): Record<BuiltCard, Presence> {
  const when = (type: BuiltCard) => ({ enabled: asked.includes(type) });
  const headlines = headlinesOf(useSettings(), farmUID);
  const hasNoHeadline = headlines.every(({ type }) => type === 'Empty' || type === 'None');
  const soil = useQuery({ ...soilSitesQuery(farmUID), select: isNone, ...when('SoilMoisture') });
  const tanks = useQuery({ ...tanksQuery(farmUID), select: isNone, ...when('Tank') });
  const flow = useQuery({ ...flowMetersQuery(farmUID), select: isNone, ...when('Flow') });
  const monitor = useQuery({ ...gatewayMonitorQuery(farmUID), select: isNull, ...when('IO') });
  const inTime = useHasChartZone(farmUID) ? (presence: Presence) => presence : waiting;
  return {
    Headline: inTime(hasNoHeadline ? NONE : HAS),
    SoilMoisture: inTime(presenceOf(soil)),
    Tank: inTime(presenceOf(tanks)),
    Flow: inTime(presenceOf(flow)),
    IO: inTime(presenceOf(monitor)),
  };
}
