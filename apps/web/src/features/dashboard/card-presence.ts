import { useQuery } from '@tanstack/react-query';
import type { CardType } from '@headrace/contract/default-settings';
import type { FarmCard } from '@headrace/contract/farms';
import type { SprinklerCounts } from '@headrace/contract/groups';
import { can, flag, needs, type Need } from '@headrace/contract/permissions';
import { useSettings } from '../../preferences/settings.queries.ts';
import { useHasChartZone } from '../../time-range/farm-zone.ts';
import { headlinesOf } from '../headlines/headline-configs.ts';
import { flowMetersQuery } from '../flow/flow.queries.ts';
import { gatewayMonitorQuery } from '../gateway-io/gateway-io.queries.ts';
import { sprinklerCountsQuery } from '../group-map/group-map.queries.ts';
import { soilSitesQuery } from '../soil-moisture/soil.queries.ts';
import { tanksQuery } from '../tanks/tanks.queries.ts';
import { BESIDE, HAS, NONE, presenceOf, waiting, type Presence } from './card-slot.tsx';

/** What one must be allowed to, for a card to be on the page. */
export const cardNeeds: Record<CardType, Need> = {
  Headline: needs.tankSummary,
  SoilMoisture: needs.readSensors,
  Tank: needs.tankSummary,
  Flow: needs.tankSummary,
  IPCStatus: needs.countSprinklers,
  IPCHealth: needs.countSprinklers,
  IPCComms: needs.countSprinklers,
  IO: { anyOf: [flag('dashboard'), flag('sprinklersStatus'), can('gateways', 'Read')] },
};

const sprinklerCards: readonly CardType[] = ['IPCStatus', 'IPCHealth', 'IPCComms'];
const isNone = (list: readonly unknown[]) => list.length === 0;
const hasNoSprinklers = ({ total }: SprinklerCounts) => total === 0;
const isNull = (one: unknown) => one === null;

/**
 * Whether there is anything to show on these cards of a farm. Only for these the server is asked. Cards are drawn once the
 * farm's clock is known: days of another clock would be asked for in vain.
 */
export function useCardPresence(
  { _id: farmUID }: FarmCard,
  asked: readonly CardType[],
): Record<CardType, Presence> {
  const when = (type: CardType) => ({ enabled: asked.includes(type) });
  const headlines = headlinesOf(useSettings(), farmUID);
  const hasNoHeadline = headlines.every(({ type }) => type === 'Empty' || type === 'None');
  const soil = useQuery({ ...soilSitesQuery(farmUID), select: isNone, ...when('SoilMoisture') });
  const tanks = useQuery({ ...tanksQuery(farmUID), select: isNone, ...when('Tank') });
  const flow = useQuery({ ...flowMetersQuery(farmUID), select: isNone, ...when('Flow') });
  const sprinklers = useQuery({
    ...sprinklerCountsQuery(farmUID),
    select: hasNoSprinklers,
    enabled: sprinklerCards.some((type) => asked.includes(type)),
  });
  const monitor = useQuery({ ...gatewayMonitorQuery(farmUID), select: isNull, ...when('IO') });
  const inTime = useHasChartZone(farmUID) ? (presence: Presence) => presence : waiting;
  return {
    Headline: inTime(hasNoHeadline ? NONE : HAS),
    SoilMoisture: inTime(presenceOf(soil)),
    Tank: inTime(presenceOf(tanks)),
    Flow: inTime(presenceOf(flow)),
    // Of three cards with nothing one says so.
    IPCStatus: sprinklers.data ? BESIDE : presenceOf(sprinklers),
    IPCHealth: inTime(presenceOf(sprinklers)),
    IPCComms: presenceOf(sprinklers),
    IO: inTime(presenceOf(monitor)),
  };
}
