import { parseDay } from '@headrace/contract/rules/farm-time';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import type { Background } from '../../jobs/background.ts';
import { dayText } from '../farm-clock/day-text.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { createAdviceRepo, type AppliedRow } from './advice.repo.ts';
import { type AdviceParts, toSettings } from './advice.service.ts';
import { createAdviceWriter } from './advice-writer.repo.ts';
import { dayAfter, weatherOf } from './advice-days.ts';
import { createGivenDays, lateAfter } from './given-days.ts';

const HOUR_MS = 3_600_000;

/** What is known of a farm's days, YYYY-MM-DD. */
export interface Season {
  readonly applied: readonly AppliedRow[];
  /** mm; null: nobody measured or entered it. */
  readonly rain: (day: string) => number | null;
  readonly gauge: string | null;
  /** By group. */
  readonly probes: ReadonlyMap<string, { readonly uid: string; readonly refillKpa: number }>;
  /** Days that are being reckoned. */
  readonly toReckon: number;
}

interface Parts extends Pick<AdviceParts, 'diary' | 'soil'> {
  readonly db: Db;
  /** What nobody waits for is noted by. */
  readonly ofJobs: Db;
  readonly background: Background;
}

/** Days of many months, as far as they are noted; what is missing of them is reckoned, a farm at a time and once for all who ask. */
export function createSeasonService({ db, ofJobs, diary, soil, background }: Parts) {
  const repo = createAdviceRepo(db);
  const writer = createAdviceWriter(db);
  const note = createGivenDays(createAdviceWriter(ofJobs), diary);
  const waiting = new Set<number>();
  let last: Promise<unknown> = Promise.resolve();

  function reckon(farm: FarmRow, days: readonly string[], now: Date): void {
    if (waiting.has(farm.id)) return;
    waiting.add(farm.id);
    const turn = last.then(() => note(farm, days, now)).finally(() => waiting.delete(farm.id));
    last = turn.catch(() => {});
    background.run("reckoning a season's days", () => turn);
  }

  return {
    async of(farm: FarmRow, days: readonly string[], now: Date): Promise<Season> {
      const zone = toZone(farm);
      const [first = '', end = first] = [days[0], days.at(-1)];
      const rows = await repo.settings(farm.id);
      const { rainSiteUID } = toSettings(rows.find(({ groupUid }) => groupUid === ''));
      const span = { from: parseDay(zone, first) ?? 0, to: parseDay(zone, dayAfter(end)) ?? 0 };
      const gauge = await soil.rainDays(farm, rainSiteUID, span, now);
      const weather = weatherOf({
        rows: await repo.weather(farm.id, first, end),
        gauge: new Map([...(gauge?.days ?? [])].map(([at, mm]) => [dayText(zone, at), mm])),
        usualEt0Mm: null,
      });
      const stale = new Date(now.getTime() - HOUR_MS);
      const due = await writer.due(farm.id, days, { late: lateAfter(farm, now), stale });
      if (due.length > 0) reckon(farm, due, now);
      return {
        applied: await repo.applied(farm.id, first, end),
        rain: (day) => weather(day).rainMm,
        gauge: gauge?.name ?? null,
        probes: new Map(
          rows.flatMap(({ groupUid, body: { probeUID, refillKpa } }) =>
            probeUID !== null && refillKpa !== null ? [[groupUid, { uid: probeUID, refillKpa }]] : [],
          ),
        ),
        toReckon: due.length,
      };
    },
  };
}
export type SeasonService = ReturnType<typeof createSeasonService>;
