import type { Attention, AttentionDevice, FailedCommand } from '../attention.ts';
import { type AttentionKind, attentionKinds } from '../attention-kinds.ts';
import type { FlowSummary } from '../flow.ts';
import type { SprinklerCounts } from '../groups.ts';
import type { MeterInsight, TankInsight } from '../insights.ts';
import type { SoilSite } from '../soil-moisture.ts';
import type { SiteGateway, SitePlace, TankSummary } from '../tanks.ts';
import { TANK_OUT_OF_CONTACT_MS } from '../limits.ts';
import { fellSilentWith } from './behind-gateways.ts';
import { SPRINKLER_OUT_OF_CONTACT_DAYS } from './condition.ts';
import { isOutOfContact } from './tank.ts';
import { isSure, isTankOut, type TankFindings, tankState, type TankState } from './tank-state.ts';

const DAY = 86_400_000;

/** What is known of a farm's devices; absent: not yet, or it may not be read. */
export interface FarmFacts {
  tanks?: readonly WatchedTank[] | undefined;
  meters?:
    | readonly Pick<FlowSummary, '_id' | 'name' | 'statusTime' | 'isOutOfContact' | 'invalid'>[]
    | undefined;
  sites?:
    | readonly Pick<SoilSite, 'id' | 'name' | 'statusTime' | 'isOutOfContact' | 'invalidProbes'>[]
    | undefined;
  gateways?: readonly Pick<SiteGateway, '_id' | 'name' | 'statusTime' | 'connected'>[] | undefined;
  repeaters?: readonly Pick<SitePlace, '_id' | 'name' | 'statusTime'>[] | undefined;
  sprinklers?: SprinklerCounts | undefined;
  /** The last watering that is over; null: there was none in a week, as far as is known. */
  lastWatering?: LastWatering | null | undefined;
  /** Commands that ended badly and that this person has not seen since, the newest first. */
  failedCommands?: readonly FailedCommand[] | undefined;
  /** What readings of days point to. */
  findings?: Findings | undefined;
}
type WatchedTank = Pick<
  TankSummary,
  | '_id'
  | 'name'
  | 'gatewayUID'
  | 'statusTime'
  | 'isOutOfContact'
  | 'level'
  | 'batteryVoltage'
  | 'leakDetected'
  | 'flow'
>;
export interface LastWatering {
  /** When the last of it was to end, epoch ms. */
  readonly endAt: number;
  /** Sprinklers that were missed or cut short, though nobody kept them from it. */
  readonly missed: number;
}
/** A day later nobody acts on it any more. `now` in epoch ms. */
export const isLately = ({ endAt }: Pick<LastWatering, 'endAt'>, now: number): boolean => now - endAt < DAY;

export interface Findings {
  tanks: readonly (TankFindings & Pick<TankInsight, '_id'>)[];
  meters: readonly Pick<MeterInsight, '_id' | 'leak'>[];
}

/** Something to say of one device, and where it stands among the others of which it is so: the lowest first. */
interface Entry extends AttentionDevice {
  kind: AttentionKind;
  rank: number;
}

/**
 * What needs a person on a farm, the worst first; empty where nothing does, or nothing is known. The home page, the dashboard
 * and the list of tanks all say what comes of this.
 *
 * A device that was never heard is "never contacted" and nothing else. One that fell silent is out of contact; its low level
 * and its low battery are still told, as what it last said, but no leak, pump or invalid value: of these the last word is no
 * news. A gateway is offline when it isn't connected; who fell silent with it is told with it, as a number, and not once more by
 * name. A leak of low confidence is no alarm. Who missed the last watering is told for a day: then it is no news any more. `now` in
 * epoch ms.
 */
export function attentionOf(facts: FarmFacts, now: number): Attention[] {
  const offline = offlineGateways(facts, now);
  const entries = [
    ...(facts.gateways ?? []).flatMap((gateway) => gatewayEntries(gateway, offline.get(gateway._id))),
    ...tankEntries(facts, now, offline),
    ...meterEntries(facts, now),
    ...(facts.sites ?? []).flatMap((site) => siteEntries(site, now)),
    ...(facts.repeaters ?? []).flatMap((repeater) => repeaterEntries(repeater, now)),
  ];
  const sprinklersOf = sprinklerTroubles(facts, offline, now);
  return attentionKinds.flatMap((kind) => {
    const devices = entries
      .filter((entry) => entry.kind === kind)
      .sort((a, b) => a.rank - b.rank)
      .map(({ device, _id, name, percent, isOld, behind }) => ({
        device,
        _id,
        name,
        percent,
        isOld,
        ...(behind && { behind }),
      }));
    const sprinklers = sprinklersOf[kind] ?? 0;
    if (kind === 'failedCommand') return failedCommands(facts.failedCommands);
    if (devices.length + sprinklers === 0) return [];
    const named = namedUnits(facts, kind, sprinklers);
    return [
      {
        kind,
        count: devices.length,
        devices,
        sprinklers,
        ...(named && { units: named }),
        ...(kind === 'missedWatering' && { wateringEndAt: wateringEnd(facts) }),
      },
    ];
  });
}

const wateringEnd = ({ lastWatering }: FarmFacts) => new Date(lastWatering?.endAt ?? 0).toISOString();

function namedUnits({ sprinklers }: FarmFacts, kind: AttentionKind, count: number): string[] | undefined {
  const stuck = sprinklers?.watering.stuck;
  const troubled = sprinklers?.troubled;
  if (kind === 'valveOverdue') return stuck?.overdue;
  if (kind === 'unplannedWatering') return stuck?.unplanned;
  if (kind === 'sprinklerError') return troubled?.oneError;
  // Who fell silent with a gateway is told with it, and which these are nobody says.
  return kind === 'outOfContact' && troubled?.silent.length === count ? troubled.silent : undefined;
}

const failedCommands = (commands: FarmFacts['failedCommands'] = []): Attention[] =>
  commands.length > 0
    ? [{ kind: 'failedCommand', count: commands.length, devices: [], sprinklers: 0, commands: [...commands] }]
    : [];

type Device = Pick<Entry, 'device' | '_id' | 'name'>;
const entryOf = (device: Device, kind: AttentionKind, over: Partial<Entry> = {}): Entry => ({
  ...device,
  kind,
  percent: null,
  isOld: false,
  rank: 0,
  ...over,
});

/** Silent for ever, or since a time: the longest first. */
function silence(device: Device, statusTime: string | null): Entry {
  return statusTime === null
    ? entryOf(device, 'neverContacted')
    : entryOf(device, 'outOfContact', { rank: Date.parse(statusTime) });
}

type Gateway = NonNullable<FarmFacts['gateways']>[number];

/** A gateway that isn't connected, and who went with it. */
interface Offline {
  /** Last in contact, epoch ms. */
  at: number;
  tanks: number;
  sprinklers: number;
  /** Sprinklers among those that are counted as out of contact. */
  silent: number;
}

const fellSilent = ({ statusTime }: WatchedTank, at: number): boolean =>
  statusTime !== null && fellSilentWith(Date.parse(statusTime), at, TANK_OUT_OF_CONTACT_MS);

/** By uid. One that was never in contact has taken nobody with it. */
function offlineGateways({ gateways = [], tanks = [], sprinklers }: FarmFacts, now: number) {
  const found = new Map<string, Offline>();
  for (const { _id, statusTime, connected } of gateways) {
    if (connected || statusTime === null) continue;
    const at = Date.parse(statusTime);
    const own = tanks.filter(
      (tank) => tank.gatewayUID === _id && isTankOut(tank, now) && fellSilent(tank, at),
    );
    const behind = sprinklers?.behind.find(({ gatewayUID }) => gatewayUID === _id);
    found.set(_id, { at, tanks: own.length, sprinklers: behind?.units ?? 0, silent: behind?.silent ?? 0 });
  }
  return found;
}

function gatewayEntries({ _id, name, statusTime, connected }: Gateway, offline: Offline | undefined) {
  const device = { device: 'gateway', _id, name } as const;
  if (connected) return [];
  if (statusTime === null) return [entryOf(device, 'neverContacted')];
  const { tanks = 0, sprinklers = 0 } = offline ?? {};
  return [entryOf(device, 'gatewayOffline', tanks + sprinklers > 0 ? { behind: { tanks, sprinklers } } : {})];
}

function tankEntries(
  { tanks = [], findings }: FarmFacts,
  now: number,
  offline: ReadonlyMap<string, Offline>,
): Entry[] {
  const found = new Map(findings?.tanks.map((one) => [one._id, one]));
  return tanks.flatMap((tank) => {
    const device = { device: 'tank', _id: tank._id, name: tank.name } as const;
    const state = tankState(tank, now, found.get(tank._id));
    const gateway = offline.get(tank.gatewayUID ?? '');
    const isNotifiedByGateway = gateway !== undefined && fellSilent(tank, gateway.at);
    if (state.never) return [entryOf(device, 'neverContacted')];
    return [
      ...(state.out && !isNotifiedByGateway ? [silence(device, tank.statusTime)] : []),
      ...(state.leak ? [entryOf(device, 'leak')] : []),
      ...(state.weakPump ? [entryOf(device, 'pumpLiftsLittle')] : []),
      ...(state.invalid && !state.out ? [entryOf(device, 'invalidValue')] : []),
      ...(state.noLevel ? [entryOf(device, 'noLevel')] : []),
      ...lastReported(device, tank, state),
    ];
  });
}

function lastReported(device: Device, { level, batteryVoltage }: WatchedTank, state: TankState): Entry[] {
  const isOld = state.out;
  const percent = level.value ?? 0;
  return [
    ...(state.lowLevel ? [entryOf(device, 'lowLevel', { percent, rank: percent, isOld })] : []),
    ...(state.lowBattery ? [entryOf(device, 'lowBattery', { rank: batteryVoltage ?? 0, isOld })] : []),
  ];
}

function meterEntries({ meters = [], findings }: FarmFacts, now: number): Entry[] {
  const leaks = new Set(findings?.meters.filter(({ leak }) => isSure(leak)).map(({ _id }) => _id));
  return meters.flatMap(({ _id, name, statusTime, isOutOfContact: isOut, invalid }) => {
    const device = { device: 'meter', _id, name } as const;
    if (isOut || isSilent(statusTime, now)) return [silence(device, statusTime)];
    // After the tanks: of those a leak is seen, of meters it is somewhere behind them.
    if (leaks.has(_id)) return [entryOf(device, 'leak', { rank: 1 })];
    return invalid ? [entryOf(device, 'invalidValue')] : [];
  });
}

function siteEntries(site: NonNullable<FarmFacts['sites']>[number], now: number): Entry[] {
  const device = { device: 'site', _id: site.id, name: site.name } as const;
  if (site.isOutOfContact || isSilent(site.statusTime, now)) return [silence(device, site.statusTime)];
  return site.invalidProbes.length > 0 ? [entryOf(device, 'invalidValue')] : [];
}

function repeaterEntries(
  { _id, name, statusTime }: NonNullable<FarmFacts['repeaters']>[number],
  now: number,
) {
  const isOut = statusTime === null || now - Date.parse(statusTime) > SPRINKLER_OUT_OF_CONTACT_DAYS * DAY;
  return isOut ? [silence({ device: 'repeater', _id, name }, statusTime)] : [];
}

const isSilent = (statusTime: string | null, now: number) =>
  isOutOfContact(statusTime === null ? null : Date.parse(statusTime), now);

function sprinklerTroubles(
  { sprinklers: counts, lastWatering }: FarmFacts,
  offline: ReadonlyMap<string, Offline>,
  now: number,
): Partial<Record<AttentionKind, number>> {
  const missedWatering = lastWatering && isLately(lastWatering, now) ? lastWatering.missed : 0;
  if (!counts) return { missedWatering };
  const notifiedByGateway = [...offline.values()].reduce((sum, { silent }) => sum + silent, 0);
  const { failed, neverContacted, attention, watering } = counts;
  return {
    missedWatering,
    valveOverdue: watering.overdue,
    unplannedWatering: watering.unplanned,
    outOfContact: failed - neverContacted - notifiedByGateway,
    neverContacted,
    sprinklerError: attention,
  };
}

/** How many devices of each kind a farm has. */
export interface FarmUnits {
  tanks: number;
  meters: number;
  sites: number;
  gateways: number;
  repeaters: number;
  sprinklers: number;
}

/** `unknown`: nothing of the farm's devices is known, so nothing is said of them. */
export type FarmStanding = 'attention' | 'well' | 'empty' | 'unknown';

/** How a farm is on the whole. `known`: its devices of which something is known, of `all` that it has. */
export function farmStanding(attention: readonly Attention[], known: FarmUnits, all: number): FarmStanding {
  if (attention.length > 0) return 'attention';
  if (Object.values(known).some((count) => count > 0)) return 'well';
  return all > 0 ? 'unknown' : 'empty';
}
