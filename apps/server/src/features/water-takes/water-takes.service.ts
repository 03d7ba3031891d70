import type { BodyOf, QueryOf, ReplyOf } from '@headrace/contract/endpoint';
import {
  DAY_MS,
  type StandardTime,
  standardTime,
  takeDayAt,
  takeDayStart,
  waterYearStart,
} from '@headrace/contract/rules/water-take/clock';
import { codeOf, type RegisterCheck } from '@headrace/contract/rules/water-take/register';
import { checksOf } from '@headrace/contract/rules/water-take/register';
import { compareNatural } from '@headrace/contract/rules/natural-order';
import {
  type addRegisterReading,
  type addTake,
  type changeTake,
  type listTakes,
  type MeterChoice,
  type noteGap,
  TAKE_DAYS,
  type takeDays,
  takeMetrics,
  type takeRows,
  TAKES,
  type WaterTake,
} from '@headrace/contract/water-takes';
import type { Gap } from '@headrace/contract/rules/alerts/silence';
import { newUid } from '../../db/ids.ts';
import type { FarmRow } from '../../db/schema.ts';
import { conflict, invalid, notFound, stale } from '../../http/errors.ts';
import { fieldChanges, logChanges } from '../changes/change-log.ts';
import type { By } from '../devices/record-change.ts';
import { litrePerPulse } from '../flow/meter.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { Range } from '../series/rollup-query.ts';
import { checkedTake } from './check-take.ts';
import { loggedTake, presentTake } from './present-take.ts';
import { type Account, neededFor, presentDays, rowsIn } from './take-account.ts';
import type { PlaceVolumes, TakeVolumes } from './take-volumes.ts';
import type { MeterSensor, TakeRecord, TakesRepo } from './takes.repo.ts';

export interface WaterTakeParts {
  readonly repo: TakesRepo;
  readonly volumes: (farmId: number, take: TakeRecord, range: Range, now: Date) => Promise<TakeVolumes>;
  /** When we didn't listen to devices. */
  readonly outages: (now: Date) => Promise<readonly Gap[]>;
}

type TakeBody = Omit<BodyOf<typeof addTake>, 'farmUID'>;

/** Consents to take water, and what was taken by them. */
export function createWaterTakesService({ repo, volumes, outages }: WaterTakeParts) {
  async function one(farm: FarmRow, uid: string): Promise<TakeRecord> {
    const take = (await repo.takes(farm.id)).find((known) => known.uid === uid.toLowerCase());
    if (!take) throw notFound();
    return take;
  }

  async function withMeter(farm: FarmRow, meterUid: string): Promise<TakeRecord> {
    const takes = await repo.takes(farm.id);
    const take = takes.find(({ meters }) => meters.some(({ uid }) => uid === meterUid.toLowerCase()));
    if (!take) throw notFound();
    return take;
  }

  async function log(
    trx: Parameters<Parameters<TakesRepo['inTransaction']>[1]>[0],
    farm: FarmRow,
    by: By,
    before: object,
    after: object,
  ) {
    const fields = fieldChanges(before, after);
    if (fields.length === 0) return;
    const { id: farmId, uid, name } = farm;
    const { accountId, page } = by;
    await logChanges(
      trx,
      [{ farmId, accountId, kind: 'farm', uid, name, what: 'changed', fields, page }],
      by.now,
    );
  }

  /** Adds or changes. */
  async function save(farm: FarmRow, known: { uid: string; version: number } | null, body: TakeBody, by: By) {
    const sensors = await repo.sensors(farm.id);
    const uid = known?.uid.toLowerCase() ?? newUid(by.now);
    await repo.inTransaction(farm.id, async (trx) => {
      const takes = await repo.takes(farm.id, trx);
      const before = takes.find((take) => take.uid === uid);
      if (known && !before) throw notFound();
      if (!known && takes.length >= TAKES.most)
        throw conflict(`A farm has ${TAKES.most} water takes at most.`, 'consentNo');
      if (before && known && before.version !== known.version) throw stale(presentTake(before));
      const { take, meters } = checkedTake(body, { before, takes, sensors, now: by.now });
      const version = (before?.version ?? 0) + 1;
      const id = await repo.save(trx, farm.id, { id: before?.id ?? null, uid, version }, take, by.now);
      await repo.saveMeters(trx, farm.id, id, meters);
      const after = (await repo.takes(farm.id, trx)).find((one) => one.uid === uid);
      await log(trx, farm, by, loggedTake(before), loggedTake(after));
    });
    return presentTake(await one(farm, uid));
  }

  async function account(farm: FarmRow, take: TakeRecord, range: Range, now: Date): Promise<Account> {
    const time = timeOf(farm);
    const [found, notes, out] = await Promise.all([
      volumes(farm.id, take, neededFor(time, range), now),
      repo.notes(farm.id, take.id),
      outages(now),
    ]);
    return { time, take, volumes: found, range, notes, outages: out };
  }

  return {
    async list(farm: FarmRow): Promise<ReplyOf<typeof listTakes>> {
      const [takes, sensors] = await Promise.all([repo.takes(farm.id), repo.sensors(farm.id)]);
      return { takes: takes.map(presentTake), choices: choicesOf(sensors) };
    },

    /** Throws invalid for a meter of another farm, one that measures another take at the same time, and days out of order. */
    add: (farm: FarmRow, body: TakeBody, by: By): Promise<WaterTake> => save(farm, null, body, by),

    /** Throws the same; conflict, with the take as it is, when somebody was quicker. */
    change(
      farm: FarmRow,
      { uid, version, ...body }: Omit<BodyOf<typeof changeTake>, 'farmUID'>,
      by: By,
    ): Promise<WaterTake> {
      return save(farm, { uid, version }, body, by);
    },

    remove: (farm: FarmRow, uid: string, by: By): Promise<boolean> =>
      repo.inTransaction(farm.id, async (trx) => {
        const before = (await repo.takes(farm.id, trx)).find((take) => take.uid === uid.toLowerCase());
        if (!before || !(await repo.remove(trx, farm.id, before.uid))) return false;
        await log(trx, farm, by, loggedTake(before), loggedTake(undefined));
        return true;
      }),

    /** Throws invalid for a time to come, and one at which the meter was not in place. */
    async addReading(
      farm: FarmRow,
      { meterUID, at, register, note }: Omit<BodyOf<typeof addRegisterReading>, 'farmUID'>,
      by: By,
    ): Promise<WaterTake> {
      const take = await withMeter(farm, meterUID);
      const meter = take.meters.find(({ uid }) => uid === meterUID.toLowerCase());
      if (!meter) throw notFound();
      const time = new Date(at);
      if (time > by.now) throw invalid('at: this time is still to come.', 'at');
      if (time < meter.startsAt || (meter.endsAt && time > meter.endsAt))
        throw invalid('at: the meter was not in place at this time.', 'at');
      const own = take.readings.filter(({ meterId }) => meterId === meter.id);
      if (own.length >= TAKES.readings)
        throw conflict(`A meter has ${TAKES.readings} readings at most: take old ones back first.`, 'at');
      await repo.inTransaction(farm.id, (trx) =>
        repo.addRegister(trx, farm.id, {
          uid: newUid(by.now),
          meterId: meter.id,
          at: time,
          register,
          note,
          accountId: by.accountId,
        }),
      );
      return presentTake(await one(farm, take.uid));
    },

    async removeReading(farm: FarmRow, readingUid: string): Promise<WaterTake> {
      const uid = readingUid.toLowerCase();
      const takes = await repo.takes(farm.id);
      const take = takes.find(({ readings }) => readings.some((reading) => reading.uid === uid));
      if (!take) throw notFound();
      await repo.inTransaction(farm.id, (trx) => repo.removeRegister(trx, farm.id, uid));
      return presentTake(await one(farm, take.uid));
    },

    async noteGap(
      farm: FarmRow,
      { uid, from, to, note }: Omit<BodyOf<typeof noteGap>, 'farmUID'>,
      by: By,
    ): Promise<{ note: string }> {
      const take = await one(farm, uid);
      const span = { from: new Date(from), to: new Date(to) };
      if (span.to <= span.from) throw invalid('to: this is before the start.', 'to');
      await repo.inTransaction(farm.id, async (trx) => {
        if (note !== '' && (await repo.countNotes(trx, farm.id, take.id)) >= TAKES.notes)
          throw conflict(`A take has ${TAKES.notes} notes at most.`, 'note');
        await repo.saveNote(trx, farm.id, take.id, { ...span, note }, by.accountId);
      });
      return { note };
    },

    async rows(
      farm: FarmRow,
      { uid, ...days }: Omit<QueryOf<typeof takeRows>, 'farmUID'>,
      now: Date,
    ): Promise<ReplyOf<typeof takeRows>> {
      const take = await one(farm, uid);
      const range = rangeOf(timeOf(farm), days, TAKE_DAYS.rows, now);
      const found = await volumes(farm.id, take, range, now);
      return {
        places: found.places.map((place) => {
          const checks = checksAt(place, take);
          const rows = rowsIn(place.rows, range).map((row) => ({ ...row, code: codeOf(row, checks) }));
          return { site: place.site, measure: place.measure, rows };
        }),
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
      // What is left now is asked of today, also where older days are looked at.
      if (range.from <= today && range.to > today) return presentDays(found, now.getTime());
      const current = await account(farm, take, { from: today, to: today + DAY_MS }, now);
      return { ...presentDays(found, now.getTime()), use: presentDays(current, now.getTime()).use };
    },
  };
}
export type WaterTakesService = ReturnType<typeof createWaterTakesService>;

const timeOf = (farm: FarmRow): StandardTime => standardTime(toZone(farm));

/** Comparisons of the registers of a place's meters, within what was read of it. */
const checksAt = ({ meters, stretches }: PlaceVolumes, take: TakeRecord): RegisterCheck[] =>
  meters.flatMap((meter) =>
    checksOf(
      take.readings
        .filter(({ meterId }) => meterId === meter.id)
        .map(({ at, register }) => ({ at: at.getTime(), m3: register })),
      stretches,
    ),
  );

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

/** The surest that each has told; of one that has told nothing yet what meters of ours tell. */
function choicesOf(sensors: readonly MeterSensor[]): MeterChoice[] {
  return sensors
    .map(({ uid, name, settings, told }) => {
      const metric = takeMetrics.find((known) => told.includes(known)) ?? 'pulsesTotal';
      const litres = metric.startsWith('pulses') ? litrePerPulse(settings) : 1;
      return { uid, name, metric, m3PerUnit: litres / 1000, hasSpoken: told.length > 0 };
    })
    .toSorted((a, b) => compareNatural(a.name, b.name));
}
