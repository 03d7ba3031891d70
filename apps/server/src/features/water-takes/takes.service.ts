import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import { compareNatural } from '@headrace/contract/rules/natural-order';
import {
  type addTake,
  type changeTake,
  type listTakes,
  type MeterChoice,
  takeMetrics,
  TAKES,
  type WaterTake,
} from '@headrace/contract/water-takes';
import { newUid } from '../../db/ids.ts';
import type { FarmRow } from '../../db/schema.ts';
import { conflict, notFound, stale } from '../../http/errors.ts';
import type { By } from '../devices/record-change.ts';
import { litrePerPulse } from '../flow/meter.ts';
import { checkedTake } from './check-take.ts';
import { logTakeChange } from './log-take.ts';
import { presentTake } from './present-take.ts';
import type { MeterSensor, TakeRecord, TakesRepo } from './takes.repo.ts';

type TakeBody = Omit<BodyOf<typeof addTake>, 'farmUID'>;

/** Consents to take water, with their meters. */
export function createTakesService(repo: TakesRepo) {
  async function one(farm: FarmRow, uid: string): Promise<TakeRecord> {
    const take = (await repo.takes(farm.id)).find((known) => known.uid === uid.toLowerCase());
    if (!take) throw notFound();
    return take;
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
      await logTakeChange(trx, farm, by, before, after);
    });
    return presentTake(await one(farm, uid));
  }

  return {
    /** Throws notFound. */
    one,

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
        await logTakeChange(trx, farm, by, before, undefined);
        return true;
      }),
  };
}
export type TakesService = ReturnType<typeof createTakesService>;

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
