import type { QueryOf, ReplyOf } from '@headrace/contract/endpoint';
import {
  DAY_MS,
  QUARTER_MS,
  quarterStart,
  type StandardTime,
  standardTime,
  takeDay,
  takeDayAt,
  takeDayStart,
  waterYearStart,
} from '@headrace/contract/rules/water-take/clock';
import { daysOfTake, neededFor } from '@headrace/contract/rules/water-take/account';
import { type CodedRow, codedPlaces } from '@headrace/contract/rules/water-take/coded-places';
import { useNow } from '@headrace/contract/rules/water-take/use-now';
import type { PackOrder, PackSource } from '@headrace/paper/reports/pack-pages';
import type { Gap } from '@headrace/contract/rules/alerts/silence';
import { TAKE_DAYS, type takeDays, type takePack, type takeRows } from '@headrace/contract/water-takes';
import type { FarmRow } from '../../db/schema.ts';
import { ApiFailure, invalid } from '../../http/errors.ts';
import { doInTurns, mapInTurns } from '../../jobs/in-turns.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { Range } from '../series/rollup-query.ts';
import type { Missing } from './packs.repo.ts';
import { presentMeter, presentTake } from './present-take.ts';
import { atMost } from '../../at-most.ts';
import type { TakeNotesRepo } from './take-notes.repo.ts';
import { type Account, type MetersRead, type SaidPages, volumesOf } from './take-volumes.ts';
import type { TakesService } from './takes.service.ts';
import type { TakeRecord } from './takes.repo.ts';

export interface TakenParts {
  readonly takes: Pick<TakesService, 'one'>;
  readonly notes: TakeNotesRepo;
  readonly read: (farmId: number, take: TakeRecord, range: Range, now: Date) => Promise<MetersRead>;
  /** What a range rests on, page by page. */
  readonly said: (farmId: number, take: TakeRecord, range: Range, now: Date) => Promise<SaidPages>;
  /** How many readings that are. */
  readonly count: (farmId: number, takeId: number, range: Range) => Promise<number>;
  /** When we didn't listen to devices. */
  readonly outages: (now: Date) => Promise<readonly Gap[]>;
  /** Readings are kept for so long. */
  readonly retentionDays: number;
}

/** What a pack is ordered by. */
export type PackParts = Omit<PackOrder, 'kind' | 'meters' | 'made' | 'asked'> &
  PackSource & { readonly at: Date };

/** A year of a meter's readings is held while it is reckoned: of so many takes at a time. */
const RECKONED_AT_ONCE = 2;
/** So many readings a pack rests on at most: about 110 MB of text while it is made; as they were read they aren't held. */
const PACKED_MOST = 1_500_000;

/** What was taken, by quarter of an hour and by day. */
export function createTakenService(parts: TakenParts) {
  const {
    takes: { one },
    notes: noted,
    outages,
    retentionDays,
  } = parts;
  const inTurn = atMost(RECKONED_AT_ONCE);
  const read: TakenParts['read'] = (...asked) => inTurn(() => parts.read(...asked));
  const volumes = (...asked: Parameters<TakenParts['read']>) =>
    inTurn(async () => volumesOf(await parts.read(...asked)));

  /** `needed`: what its limits are judged by; without limits its own days are enough. */
  async function account(
    farm: FarmRow,
    take: TakeRecord,
    range: Range,
    now: Date,
    needed = neededFor(timeOf(farm), range),
  ): Promise<Account> {
    const found = await volumes(farm.id, take, withChecks(take, needed), now);
    return { ...(await judgedBy(farm, take, range, now)), volumes: found };
  }

  /** What a take's volumes are judged by. */
  async function judgedBy(
    farm: FarmRow,
    take: TakeRecord,
    range: Range,
    now: Date,
  ): Promise<Omit<Account, 'volumes'>> {
    const [notes, out] = await Promise.all([noted.notes(farm.id, take.id), outages(now)]);
    const keptSince = now.getTime() - retentionDays * DAY_MS;
    return { time: timeOf(farm), take, range, notes, outages: out, keptSince };
  }

  return {
    account,

    async rows(
      farm: FarmRow,
      { uid, ...days }: Omit<QueryOf<typeof takeRows>, 'farmUID'>,
      now: Date,
    ): Promise<ReplyOf<typeof takeRows>> {
      const take = await one(farm, uid);
      const range = rangeOf(timeOf(farm), days, TAKE_DAYS.rows, now);
      const found = await volumes(farm.id, take, withChecks(take, range), now);
      const places = codedPlaces(found.places, take, range);
      // Of a row in a gap nobody knows what of its total is its own.
      const presentRow = ({ gaps, ...row }: CodedRow) => (gaps ? { ...row, known: null } : row);
      return {
        places: await Promise.all(
          places.map(async (place) => ({ ...place, rows: await mapInTurns(place.rows, presentRow) })),
        ),
      };
    },

    /** Days of a pack that is made in the queue, YYYY-MM-DD. Throws invalid. */
    packDays(farm: FarmRow, days: { from: string; to: string }, now: Date): { from: string; to: string } {
      const time = timeOf(farm);
      const { from, to } = rangeOf(time, days, TAKE_DAYS.longPack, now);
      return { from: takeDay(time, from), to: takeDay(time, to - 1) };
    },

    /** How many quarters of these times (epoch ms, one after the other, of whole quarters) are not missing. */
    async knownOf(farm: FarmRow, take: TakeRecord, times: Missing, now: Date): Promise<number> {
      const [first, last] = [times[0], times.at(-1)];
      if (!first || !last) return 0;
      const { rows } = await volumes(farm.id, take, { from: first[0], to: last[1] }, now);
      let [nth, known] = [0, 0];
      for (const { end, state } of rows) {
        while ((times[nth]?.[1] ?? Infinity) < end) nth += 1;
        if (state !== 'missing' && (times[nth]?.[0] ?? Infinity) < end) known += 1;
      }
      return known;
    },

    /** What a pack is reckoned from: as of its last day, or as of now while that is not over. */
    async pack(
      farm: FarmRow,
      { uid, codes = true, gapsLeftOut = false, ...days }: Omit<QueryOf<typeof takePack>, 'farmUID'>,
      most: number,
      now: Date,
    ): Promise<PackParts> {
      const take = await one(farm, uid);
      const time = timeOf(farm);
      const range = rangeOf(time, days, most, now);
      const keptSince = now.getTime() - retentionDays * DAY_MS;
      const kept = { ...range, from: Math.max(range.from, keptSince) };
      refuseTooMany(await parts.count(farm.id, take.id, kept));
      const { meters, from, known } = await read(
        farm.id,
        take,
        withChecks(take, neededFor(time, range)),
        now,
      );
      const { heard: _heard, ...judged } = known;
      const said = await parts.said(farm.id, take, range, now);
      return {
        take: presentTake(take),
        account: { ...(await judgedBy(farm, take, range, now)), volumes: judged },
        from,
        reckoned: meters.map(({ meter, span }) => ({ meter, span })),
        days: meters.map(({ days: ofMeter }) => ofMeter),
        said: [...said].map(([meter, pages]) => ({ meter: presentMeter(meter, take), pages })),
        options: { codes, gapsLeftOut },
        at: new Date(Math.max(range.from, Math.min(range.to - 1, known.until))),
      };
    },

    async days(
      farm: FarmRow,
      { uid, ...days }: Omit<QueryOf<typeof takeDays>, 'farmUID'>,
      now: Date,
    ): Promise<ReplyOf<typeof takeDays>> {
      const take = await one(farm, uid);
      const range = rangeOf(timeOf(farm), days, TAKE_DAYS.days, now);
      const today = takeDayStart(timeOf(farm), now.getTime());
      const found = await account(farm, take, range, now);
      const byDay = (of: Account) => doInTurns(daysOfTake(of, now.getTime()));
      // What is left now is asked of today, also where older days are looked at.
      if (range.from <= today && range.to > today) return byDay(found);
      const current = await account(farm, take, { from: today, to: today + DAY_MS }, now);
      return { ...(await byDay(found)), use: useNow(current, now.getTime()) };
    },
  };
}
export type TakenService = ReturnType<typeof createTakenService>;

function refuseTooMany(readings: number): void {
  if (readings > PACKED_MOST)
    throw new ApiFailure(
      'tooLarge',
      `The meters said more in these days than fits into a pack (${PACKED_MOST / 1e6} million readings): ask for fewer days.`,
    );
}

const YEAR_MS = 366 * DAY_MS;

const timeOf = (farm: FarmRow): StandardTime => standardTime(toZone(farm));

/** Checks of the registers that touch a range begin before it and end after it, each a year away at most: a range with all of them. */
function withChecks({ readings }: Pick<TakeRecord, 'readings'>, range: Range): Range {
  let { from, to } = range;
  for (const meter of new Set(readings.map(({ meterId }) => meterId))) {
    const read = readings.filter(({ meterId }) => meterId === meter).map(({ at }) => at.getTime());
    const before = Math.max(...read.filter((at) => at <= range.from && at > range.from - YEAR_MS));
    const after = Math.min(...read.filter((at) => at >= range.to && at < range.to + YEAR_MS));
    if (Number.isFinite(before)) from = Math.min(from, quarterStart(before));
    if (Number.isFinite(after)) to = Math.max(to, quarterStart(after) + QUARTER_MS);
  }
  return { from, to };
}

/** Whole days, both included; this water year unless it is said. Throws invalid. */
function rangeOf(
  time: StandardTime,
  { from, to }: { from?: string | undefined; to?: string | undefined },
  most: number,
  now: Date,
): Range {
  const last = to === undefined ? takeDayStart(time, now.getTime()) : dayOf(time, to, 'to');
  const first = from === undefined ? waterYearStart(time, last) : dayOf(time, from, 'from');
  if (first > last) throw invalid('from: this is after the last day.', 'from');
  const days = (last - first) / DAY_MS + 1;
  if (days > most) throw invalid(`from: at most ${most} days can be asked for at once.`, 'from');
  return { from: first, to: last + DAY_MS };
}

function dayOf(time: StandardTime, text: string, name: string): number {
  const at = takeDayAt(time, text.slice(0, 10));
  if (at === null) throw invalid(`${name}: there is no such day.`, name);
  return at;
}
