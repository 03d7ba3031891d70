import { addDays, clockTime, dayStart } from '@headrace/contract/rules/farm-time';
import type { Db } from '../../db/client.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { grouped } from './grouped.ts';
import type { RuleRow } from './observation.ts';
import { metricsOf } from './replayed.ts';
import { writeSeenLate } from './seen-late.ts';
import type { WatchRepo } from './watch.repo.ts';

/** By the farm's clock, s after midnight: before the digest, in which it stands. */
const FROM_S = 6 * 3600;

interface LateParts {
  readonly db: Db;
  readonly repo: Pick<WatchRepo, 'rules' | 'farm'>;
  readonly log: { error(details: object, message: string): void };
}

/** Looks once in each farm's morning for what came late. That it looked is only remembered: a second look finds what is written down. */
export function createLateLooker({ db, repo, log }: LateParts) {
  const lookedOn = new Map<number, number>();

  async function lookAt(farmId: number, rules: readonly RuleRow[], now: Date): Promise<void> {
    const farm = await repo.farm(farmId);
    if (!farm) return;
    const zone = toZone(farm);
    const today = dayStart(zone, now.getTime());
    const from = clockTime(zone, today, FROM_S);
    const day = now.getTime() < from ? addDays(zone, today, -1) : today;
    if (lookedOn.get(farmId) === day) return;
    await writeSeenLate(db, farm, rules, now);
    lookedOn.set(farmId, day);
  }

  return async (now: Date): Promise<void> => {
    const rules = (await repo.rules()).filter((rule) => metricsOf(rule) !== undefined);
    for (const [farmId, ofFarm] of grouped(rules, ({ farm_id }) => farm_id))
      await lookAt(farmId, ofFarm, now).catch((error: unknown) =>
        log.error({ err: error, farmId }, 'what came late was not looked for'),
      );
  };
}
