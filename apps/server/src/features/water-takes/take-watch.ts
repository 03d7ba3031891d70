import {
  DAY_MS,
  type StandardTime,
  standardTime,
  takeDayStart,
} from '@headrace/contract/rules/water-take/clock';
import { type Exceedance, exceedancesOf } from '@headrace/contract/rules/water-take/limits';
import { gapsIn } from '@headrace/contract/rules/water-take/gap-causes';
import { rowsIn } from '@headrace/contract/rules/water-take/rows';
import { daySums, type TakeSum } from '@headrace/contract/rules/water-take/sums';
import { restrictionsOf, useNow } from '@headrace/contract/rules/water-take/use-now';
import { ALIVE_MS } from '@headrace/contract/rules/water-take/volume';
import type { TakeUseNow } from '@headrace/contract/water-takes';
import type { FarmRow } from '../../db/schema.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { Range } from '../series/rollup-query.ts';
import type { Account } from './take-volumes.ts';
import type { TakeRecord } from './takes.repo.ts';

/** What was taken lately, as alerts look at it. Times in epoch ms. */
export interface TakenLately {
  readonly take: TakeRecord;
  readonly time: StandardTime;
  /** So far quarters are known of, or ought to be. */
  readonly until: number;
  readonly accuracy: number;
  readonly days: readonly TakeSum[];
  /** When a limit is reached at the rate of now. */
  readonly reachedAt: Readonly<Record<'day' | 'sevenDays' | 'year', string | null>>;
  /** The last two quarters, and which of them were above the rate by more than the meter may be wrong; null: they aren't known. */
  readonly rate: { readonly at: number; readonly above: readonly Exceedance[] } | null;
}

/** What is missing of a take on a day. */
export interface TakeMissing {
  readonly take: TakeRecord;
  /** Quarters that are missing, those of which nobody noted why, and of these the ones of which not even the total is known. */
  readonly rows: number;
  readonly unexplained: number;
  readonly unknown: number;
  /** Meters that had said nothing for an hour at a time, nor since, with their last word; null: none that is known. */
  readonly silent: readonly { readonly device: string; readonly since: number | null }[];
}

/** Where the rate was not heard of for so long, nothing is said of it. */
const RATE_KNOWN_MS = 2 * 3_600_000;
const RATE_ROWS = 2;

/** So many days, with today, may become known late: a gateway is off for a weekend. */
export const LATELY_DAYS = 8;

interface Parts {
  readonly takes: (farmId: number) => Promise<TakeRecord[]>;
  readonly account: (
    farm: FarmRow,
    take: TakeRecord,
    range: Range,
    now: Date,
    needed?: Range,
  ) => Promise<Account>;
}

/** What alerts ask of water takes, one take after the other. */
export function createTakeWatch({ takes, account }: Parts) {
  async function each<T>(farm: FarmRow, of: (take: TakeRecord) => Promise<T>): Promise<T[]> {
    const found: T[] = [];
    for (const take of await takes(farm.id)) if (take.meters.length > 0) found.push(await of(take));
    return found;
  }

  return {
    /** Of the last days, with the water year before them. */
    lately: (farm: FarmRow, now: Date): Promise<TakenLately[]> =>
      each(farm, async (take) => {
        const today = takeDayStart(standardTime(toZone(farm)), now.getTime());
        const range = { from: today - (LATELY_DAYS - 1) * DAY_MS, to: today + DAY_MS };
        const found = await account(farm, take, range, now);
        const { time, volumes } = found;
        const use = useNow(found, now.getTime());
        return {
          take,
          time,
          until: volumes.until,
          accuracy: volumes.accuracy,
          days: daySums(volumes.rows, time),
          reachedAt: reachedAt(use),
          rate: rateOf(found, now.getTime()),
        };
      }),

    /** Of the day of standard time that begins at `day`; `asOf`: when meters have to have been silent. */
    missingOn: (
      farm: FarmRow,
      { day, asOf }: { day: number; asOf: number },
      now: Date,
    ): Promise<TakeMissing[]> =>
      each(farm, async (take) => {
        const range = { from: day, to: day + DAY_MS };
        const today = takeDayStart(standardTime(toZone(farm)), now.getTime());
        // Whether its meters have spoken since is asked as well.
        const found = await account(farm, take, range, now, { from: day, to: today + DAY_MS });
        const { gaps } = gapsIn(found, Infinity);
        const open = gaps.filter(({ note }) => note === '');
        return {
          take,
          rows: rowsOf(gaps),
          unexplained: rowsOf(open),
          unknown: rowsOf(open.filter(({ m3, isCut }) => m3 === null && !isCut)),
          silent: silentOf(found, asOf, now.getTime()),
        };
      }),
  };
}
export type TakeWatch = ReturnType<typeof createTakeWatch>;

const rowsOf = (gaps: readonly { readonly rows: number }[]) => gaps.reduce((sum, { rows }) => sum + rows, 0);

const reachedAt = ({ today, sevenDays, year }: Record<'today' | 'sevenDays' | 'year', TakeUseNow>) => ({
  day: today.reachedAt,
  sevenDays: sevenDays.reachedAt,
  year: year.reachedAt,
});

/** Two quarters of an hour, so that one that a clock cut otherwise isn't told. */
function rateOf({ take, time, volumes: { rows, until, accuracy } }: Account, now: number) {
  const last = rowsIn(rows, { from: 0, to: until }).slice(-RATE_ROWS);
  const at = last.at(-1)?.end ?? 0;
  if (last.length < RATE_ROWS || at < now - RATE_KNOWN_MS) return null;
  const found = exceedancesOf({ rows: last, days: [] }, take, {
    accuracy,
    time,
    restrictions: restrictionsOf(take),
  });
  const above = found.filter(({ isWithinAccuracy }) => !isWithinAccuracy);
  // What is sure of a quarter tells that a rate was passed, and never that it was kept.
  return above.length < RATE_ROWS && last.some(({ m3 }) => m3 === null) ? null : { at, above };
}

function silentOf({ take, volumes: { heard } }: Account, asOf: number, now: number): TakeMissing['silent'] {
  return take.meters
    .filter(({ startsAt, endsAt }) => startsAt.getTime() <= asOf && (endsAt?.getTime() ?? Infinity) > now)
    .flatMap((meter) => {
      const since = heard.get(meter)?.last ?? null;
      return since === null || since <= asOf - ALIVE_MS ? [{ device: meter.device, since }] : [];
    });
}
