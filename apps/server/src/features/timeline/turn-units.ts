import type { WaterApplication } from '@headrace/contract/farms';
import type { IpcStatus } from '@headrace/contract/groups';
import type { FarmClock } from '@headrace/contract/rules/farm-time';
import { isDayOut } from '@headrace/contract/rules/schedule/cycle-day';
import type { UnitFacts } from '@headrace/contract/rules/schedule/fate';
import type { HeldSpan, TurnUnit } from '@headrace/contract/rules/schedule/turns';
import { millimetresPerMinute } from '@headrace/contract/rules/water-application';
import type { FarmRow } from '../../db/schema.ts';
import { programmeOf } from '../sprinklers/programme.ts';
import type { SprinklerRow } from '../sprinklers/sprinkler-status.repo.ts';
import type { Past } from './kept-past.ts';

/** All that a farm's timeline is made of. */
export interface TimelineFacts extends Past {
  readonly farm: FarmRow;
  readonly clock: FarmClock;
  readonly units: readonly { readonly row: SprinklerRow; readonly status: IpcStatus }[];
  readonly onTheirWay: ReadonlySet<number>;
  /** Until when paddock holds stop units, epoch ms. */
  readonly holds: ReadonlyMap<number, number>;
  /** Gateways that aren't connected; null: that of units for which none is named. */
  readonly isAway: (gatewayId: number | null) => boolean;
  /** By group, as its name is; and the names of groups by their uids. */
  readonly groupWater: ReadonlyMap<string, WaterApplication>;
  readonly groupNames: ReadonlyMap<string, string>;
}

/** A sprinkler with its line, and what its turns are reckoned from. */
export interface LineUnit extends TurnUnit {
  readonly id: number;
  readonly status: IpcStatus;
  readonly line: string;
  /** By name. */
  readonly groups: readonly string[];
  readonly isInSet: boolean;
  readonly heldState: ReturnType<typeof programmeOf>['held'];
  /** Its gateway is away: it waters by its own clock, and is heard of later. */
  readonly isNewsLate: boolean;
  readonly lps: number;
  readonly mmPerMin: number;
}

type Known = TimelineFacts['units'][number];

/** Sprinklers that water, may water or are to; spares and placeholders that hold nothing are left out. */
export function lineUnits(facts: TimelineFacts): LineUnit[] {
  const { make } = lineUnitMaker(facts, '');
  return facts.units.map(make).filter(isShown);
}

export const isShown = (unit: LineUnit): boolean =>
  !isIdle(unit.status) || unit.runs.length > 0 || canWater(unit);

/**
 * Makes a sprinkler of its facts. `sources`: all that it is made of besides the farm's clock; `water` stands for what sprinklers of the
 * farm give.
 */
export function lineUnitMaker(facts: TimelineFacts, water: string) {
  const rates = ratesBy(facts);
  const { runs, ended, openings, onTheirWay, holds, isAway } = facts;
  return {
    sources: ({ row, status }: Known): readonly unknown[] => [
      row,
      status,
      runs.get(row.id),
      ended.get(row.id),
      openings.get(row.id),
      onTheirWay.has(row.id),
      holds.get(row.id),
      isAway(row.gateway_id),
      water,
    ],
    /** Whether these are its sources still. */
    isMadeOf: (sources: readonly unknown[], { row, status }: Known): boolean =>
      sources[0] === row &&
      sources[1] === status &&
      sources[2] === runs.get(row.id) &&
      sources[3] === ended.get(row.id) &&
      sources[4] === openings.get(row.id) &&
      sources[5] === onTheirWay.has(row.id) &&
      sources[6] === holds.get(row.id) &&
      sources[7] === isAway(row.gateway_id) &&
      sources[8] === water,
    make: ({ row, status }: Known): LineUnit => lineUnit(row, status, facts, rates),
  };
}

const isIdle = ({ isSpareUnit, isPlaceholder, outOfService }: IpcStatus) =>
  isSpareUnit || isPlaceholder || outOfService;
const canWater = ({ held }: LineUnit) => held.some(({ entries }) => entries === null || entries.length > 0);

const NOTHING: readonly never[] = [];

function lineUnit(
  row: SprinklerRow,
  status: IpcStatus,
  facts: TimelineFacts,
  rates: (row: SprinklerRow) => Rates,
): LineUnit {
  const { id, wanted, held } = row;
  const programme = programmeOf(row);
  const isOnItsWay = facts.onTheirWay.has(id) && programme.held !== 'wanted';
  const isInSet = wanted !== null && wanted.entries.length > 0;
  const isWanted = isInSet && programme.held !== 'wanted' && programme.held !== 'foreign';
  const { lps, mmPerMin } = rates(row);
  return {
    id,
    status,
    line: lineOf(row),
    groups: row.groups,
    isInSet,
    heldState: programme.held,
    facts: unitFacts(row, status, { programme, isOnItsWay, facts }),
    held: heldSpans(facts.ended.get(id) ?? NOTHING, held ? spanNow(held, programme) : null),
    wanted: isWanted ? { entries: wanted.entries, cycleDays: wanted.cycle_days } : null,
    runs: facts.runs.get(id) ?? NOTHING,
    openings: facts.openings.get(id) ?? NOTHING,
    isNewsLate: facts.isAway(row.gateway_id),
    lps,
    mmPerMin,
  };
}

/** Few have held anything else in the time; thousands of copied lists would be most of the work. */
const heldSpans = (ended: readonly HeldSpan[], now: HeldSpan | null): readonly HeldSpan[] =>
  now === null ? ended : ended.length === 0 ? [now] : [...ended, now];

function spanNow(
  { since, stopped_at, entries }: NonNullable<SprinklerRow['held']>,
  { held, cycleDays }: ReturnType<typeof programmeOf>,
): HeldSpan {
  const isKnown = held !== 'foreign' && held !== 'unknown';
  return { from: since, until: null, entries: isKnown ? entries : null, cycleDays, stoppedAt: stopped_at };
}

interface KnownUnit {
  readonly programme: ReturnType<typeof programmeOf>;
  readonly isOnItsWay: boolean;
  readonly facts: TimelineFacts;
}

function unitFacts(
  row: SprinklerRow,
  status: IpcStatus,
  { programme, isOnItsWay, facts }: KnownUnit,
): UnitFacts {
  const { held, reportedDay, cycleDays } = programme;
  return {
    held: held === 'wanted' || held === 'older' ? { entries: row.held?.entries ?? [] } : held,
    isOnItsWay,
    isInService: !status.outOfService && !status.isSpareUnit,
    isDayOut: isDayOut(facts.clock, reportedDay, cycleDays),
    isInhibited: status.isInhibited,
    isStopWanted: row.stop_since !== null && !status.isInhibited,
    holdUntil: facts.holds.get(row.id) ?? null,
    heardAt: row.status_at,
    clockS: row.clock,
  };
}

/** The line that it was sent in; else its group. */
function lineOf({ wanted, groups }: SprinklerRow): string {
  if (wanted && wanted.schedule_group !== '') return wanted.schedule_group;
  return groups.join(', ') || NO_GROUP;
}
const NO_GROUP = 'In no group';

type Rates = Pick<LineUnit, 'lps' | 'mmPerMin'>;

/** What a sprinkler gives, as its groups are set where they agree; else as its farm is. */
function ratesBy({ groupWater, farm }: TimelineFacts): (row: SprinklerRow) => Rates {
  const known = new Map<string, Rates>();
  return ({ groups }) => {
    const key = groups.join('\n');
    const found = known.get(key);
    if (found) return found;
    const set = groups.flatMap((name) => groupWater.get(name) ?? []);
    const isAgreed = new Set(set.map((one) => JSON.stringify(one))).size === 1;
    const water = (isAgreed ? set[0] : undefined) ?? farm.wal_config;
    const rates = { lps: water.sprinklerFlow, mmPerMin: millimetresPerMinute(water) };
    known.set(key, rates);
    return rates;
  };
}
