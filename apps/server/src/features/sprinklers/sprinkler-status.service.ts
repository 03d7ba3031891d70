import type { QueryOf, ReplyOf } from '@headrace/contract/endpoint';
import type { FarmOverview, GroupInfo, IpcStatus, SprinklerCounts } from '@headrace/contract/groups';
import { farmCalendar } from '@headrace/contract/rules/active-now';
import { countBehind, type UnitBehind } from '@headrace/contract/rules/behind-gateways';
import { conditions, SPRINKLER_OUT_OF_CONTACT_DAYS } from '@headrace/contract/rules/condition';
import type { groupUnits } from '@headrace/contract/map-units';
import { toUnitRow } from '@headrace/contract/rules/unit-rows';
import { inNaturalOrder } from '@headrace/contract/rules/natural-order';
import type { Passer } from '@headrace/contract/rules/silence-cause';
import { countSprinklers, summariseSprinklers } from '@headrace/contract/rules/sprinkler-counts';
import type { FarmRow } from '../../db/schema.ts';
import { notFound } from '../../http/errors.ts';
import { FIRST_RADIO } from '../devices/farm-radio.ts';
import { wateringClock } from '../farm-clock/farm-zone.ts';
import { gatewayFinder, type LimitsByGateway, unitLimits } from '../gateways/unit-limits.ts';
import { createRowVersions } from '../irrigation-devices/row-versions.ts';
import { farmContext, toStatus } from './present-status.ts';
import { createStatusLists } from './status-lists.ts';
import type { PlaceRow, SprinklerRow, SprinklerStatusRepo } from './sprinkler-status.repo.ts';

/** The group that every device of a farm is in. */
export const WHOLE_FARM = 'FARM';

export function createSprinklerStatusService(sprinklers: SprinklerStatusRepo) {
  const versions = createRowVersions<IpcStatus>();
  const statusesOf = createStatusLists();

  /** All of the farm; `groupId`: whose points of interest are told of. */
  async function readFarm(farm: FarmRow, now: Date, groupId: number | null = null) {
    const [known, places] = await Promise.all([
      sprinklers.sprinklers(farm.id),
      sprinklers.places(farm.id, groupId),
    ]);
    const { rows, radio, isScheduled, isIn } = known;
    const gateways = places.filter(({ kind }) => kind === 'gateway');
    const calendar = farmCalendar(wateringClock(farm), now.getTime());
    const context = farmContext({ radio, isScheduled }, calendar, unitLimits(gateways));
    const ipcs = await statusesOf(known.farm, rows, context, gateways);
    return { rows, ipcs, places, radio, isIn };
  }

  /** Of a group; null: all of the farm. */
  async function read(farm: FarmRow, groupId: number | null, now: Date) {
    const { ipcs, isIn, ...found } = await readFarm(farm, now, groupId);
    return { ...found, ipcs: groupId === null ? ipcs : ipcs.filter((_, place) => isIn(place, groupId)) };
  }

  async function info(farm: FarmRow, group: NamedGroup, now: Date): Promise<GroupInfo> {
    const { ipcs, places, radio } = await read(farm, group.id, now);
    return {
      name: group.name,
      ipcs: inNaturalOrder(ipcs),
      ...othersOf(places, group),
      boundaries: farm.boundary,
      props: radio ?? FIRST_RADIO,
      ...summariseSprinklers(ipcs),
    };
  }

  async function counts(farm: FarmRow, now: Date): Promise<SprinklerCounts> {
    const { rows, ipcs, places } = await readFarm(farm, now);
    return { ...countSprinklers(ipcs, now.getTime()), behind: behindGateways(rows, ipcs, places) };
  }

  /** With this name, upper and lower case alike; FARM is the whole farm. Throws notFound without one. */
  async function groupOf(farm: FarmRow, name: string): Promise<NamedGroup> {
    if (name.trim().toUpperCase() === WHOLE_FARM) return { id: null, name: farm.name };
    const group = await sprinklers.group(farm.id, name.trim());
    if (!group) throw notFound('This farm has no such group.');
    return group;
  }

  return {
    groupInfo: async (farm: FarmRow, name: string, now: Date): Promise<GroupInfo> =>
      info(farm, await groupOf(farm, name), now),

    /** The group in short, and where the caller has an earlier reply, what of its sprinklers is otherwise since. */
    async groupUnits(
      farm: FarmRow,
      { name, since }: QueryOf<typeof groupUnits>,
      now: Date,
    ): Promise<ReplyOf<typeof groupUnits>> {
      const group = await groupOf(farm, name);
      const number = versions.begin(farm.id);
      const { ipcs, places } = await read(farm, group.id, now);
      const version = number(ipcs);
      const isNewer = versions.newerThan(since);
      return {
        version,
        isWhole: isNewer === null,
        total: ipcs.length,
        units: (isNewer ? ipcs.filter(isNewer) : ipcs).map(toUnitRow),
        name: group.name,
        ...othersOf(places, group),
        boundaries: farm.boundary,
      };
    },

    async overview(farm: FarmRow, now: Date): Promise<FarmOverview> {
      return { ...(await info(farm, { id: null, name: farm.name }, now)), desc: farm.description };
    },

    /** Of the farm's sprinklers those with these uids, as groupInfo has them; who is no more is left out. */
    async some(farmId: number, uids: ReadonlySet<string>, now: Date): Promise<readonly IpcStatus[]> {
      const farm = await sprinklers.farm(farmId);
      return farm ? (await readFarm(farm, now)).ipcs.filter(({ id }) => uids.has(id)) : [];
    },

    /** The uids of those that a schedule is being sent to. */
    sentTo: (farmId: number): Promise<ReadonlySet<string>> => sprinklers.sentTo(farmId),

    /** The same with what passes on what they say. */
    async unitsWithPassers(farm: FarmRow, now: Date): Promise<UnitsWithPassers> {
      const { rows, ipcs, places } = await readFarm(farm, now);
      const gateways = places.filter(({ kind }) => kind === 'gateway');
      const gatewayOf = gatewayFinder(gateways);
      return {
        units: ipcs.map((unit, at) => ({
          unit,
          gatewayUID: gatewayOf(rows[at]?.gateway_id ?? null)?.uid ?? null,
        })),
        gateways: gateways.map(toPasser),
        repeaters: places.filter(({ kind }) => kind === 'repeater').map(toPasser),
      };
    },

    async units(farm: FarmRow, now: Date): Promise<readonly IpcStatus[]> {
      return (await readFarm(farm, now)).ipcs;
    },

    /** The same, with what each status was concluded from. */
    async withRows(farm: FarmRow, now: Date): Promise<{ row: SprinklerRow; status: IpcStatus }[]> {
      const [known, gateways] = await Promise.all([
        sprinklers.sprinklers(farm.id),
        sprinklers.gateways(farm.id),
      ]);
      const { rows, radio, isScheduled } = known;
      const calendar = farmCalendar(wateringClock(farm), now.getTime());
      const context = farmContext({ radio, isScheduled }, calendar, unitLimits(gateways));
      const statuses = await statusesOf(known.farm, rows, context, gateways);
      return rows.map((row, place) => ({ row, status: statuses[place] ?? toStatus(row, context) }));
    },

    /** What the farm's gateways call a low battery and a wrong clock, by the gateway that hears a unit. */
    limits: async (farmId: number): Promise<LimitsByGateway> => unitLimits(await sprinklers.gateways(farmId)),

    counts,

    /** The same of a farm by its number; null: there is none. */
    async countsOf(farmId: number, now: Date): Promise<SprinklerCounts | null> {
      const farm = await sprinklers.farm(farmId);
      return farm ? counts(farm, now) : null;
    },
  };
}
export type SprinklerStatusService = ReturnType<typeof createSprinklerStatusService>;

interface NamedGroup {
  /** Null: the whole farm. */
  readonly id: number | null;
  readonly name: string;
}

function othersOf(places: readonly PlaceRow[], group: NamedGroup) {
  const marked = (kind: PlaceRow['kind']) =>
    inNaturalOrder(places.filter((place) => place.kind === kind).map(toMarker));
  const members = places.filter(({ is_member }) => group.id === null || is_member);
  return {
    sensors: marked('sensor'),
    repeaters: marked('repeater'),
    gateways: marked('gateway'),
    pois: inNaturalOrder(members.filter(({ kind }) => kind === 'poi').map(toMarker)),
  };
}

/** `ipcs` in the order of `rows`. Units that are out of service have nobody to miss them. */
function behindGateways(
  rows: readonly SprinklerRow[],
  ipcs: readonly IpcStatus[],
  places: readonly PlaceRow[],
): SprinklerCounts['behind'] {
  const gateways = places.filter(({ kind }) => kind === 'gateway');
  const gatewayOf = gatewayFinder(gateways);
  const units: UnitBehind[] = [];
  // A loop: of thousands of units `flatMap` makes as many arrays.
  for (const [at, status] of ipcs.entries()) {
    if (status.condition === conditions.outOfService) continue;
    const { statustime, isOutOfContact } = status;
    const gatewayUID = gatewayOf(rows[at]?.gateway_id ?? null)?.uid ?? null;
    units.push({ gatewayUID, statustime, isOutOfContact });
  }
  const ahead = gateways.map(({ uid, status_at }) => ({ uid, contactAt: status_at }));
  return countBehind(units, ahead, SPRINKLER_OUT_OF_CONTACT_DAYS * DAY);
}

export interface UnitsWithPassers {
  readonly units: readonly { readonly unit: IpcStatus; readonly gatewayUID: string | null }[];
  readonly gateways: readonly Passer[];
  readonly repeaters: readonly Passer[];
}

const toPasser = ({ uid, name, lat, lng, status_at }: PlaceRow): Passer => ({
  id: uid,
  name,
  location: lat === null || lng === null ? null : { lat, lng },
  heardAt: status_at,
});

const DAY = 86_400_000;

function toMarker({
  uid,
  name,
  serial_number,
  type,
  lat,
  lng,
  status_at,
  icon,
}: PlaceRow): GroupInfo['pois'][number] {
  return {
    id: uid,
    name,
    serial: serial_number,
    type,
    lat,
    lng,
    statustime: status_at ?? 0,
    ...(icon !== null && { icon }),
  };
}
