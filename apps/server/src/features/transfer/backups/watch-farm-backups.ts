import { Gauge, type Registry } from 'prom-client';
import type { Db } from '../../../db/client.ts';
import type { OperatorNotices } from '../../../machine/operator-notices.ts';
import { createBackupFailures, type FarmBackupCounts } from './backup-failures.ts';

interface Options {
  db: Db;
  now: () => Date;
  notices: OperatorNotices;
}

const EVERY_MS = 60_000;
/** What fails is tried again each hour, and may go well by itself. */
const FAILING_MS = 24 * 3_600_000;
const NAMED = 5;

/** Backups that farms' people see, for whoever runs the machine: what fails again and again is for him to mend. */
export function watchFarmBackups({ db, now, notices }: Options) {
  const failures = createBackupFailures(db);
  let counts: FarmBackupCounts | null = null;

  async function look(): Promise<void> {
    counts = await failures.counts(new Date(now().getTime() - FAILING_MS));
    const sentence = sentenceOf(counts);
    if (sentence) await notices.tell('backups of farms fail again and again', [`${sentence}.`, WHAT_TO_DO]);
  }

  const timer = setInterval(() => void look().catch(() => {}), EVERY_MS);
  timer.unref();
  return {
    look,
    /** For /readyz: `ok`, or `warning: …`. */
    check(): string {
      const sentence = counts && sentenceOf(counts);
      return sentence ? `warning: ${sentence}` : 'ok';
    },
    metrics(registry: Registry): void {
      registry.registerMetric(
        new Gauge({
          name: 'headrace_farm_backups',
          help: 'Backups of farms: restored on trial, waiting for that, or at fault',
          labelNames: ['state'],
          registers: [],
          collect() {
            if (!counts) return;
            for (const state of ['proved', 'waiting', 'faulty'] as const) this.set({ state }, counts[state]);
          },
        }),
      );
      registry.registerMetric(
        new Gauge({
          name: 'headrace_farm_backups_failing',
          help: 'Farms whose nightly backup, or the trial of one, has failed for a day',
          registers: [],
          collect() {
            if (counts) this.set(counts.failing.length);
            else this.remove();
          },
        }),
      );
    },
    stop: () => clearInterval(timer),
  };
}

const WHAT_TO_DO =
  'Why stands in the log ("a backup was not made or tried") and in the table farm_backup_failure. They are tried again each hour.';

function sentenceOf({ failing }: FarmBackupCounts): string | null {
  if (failing.length === 0) return null;
  const more = failing.length > NAMED ? ` and ${failing.length - NAMED} more` : '';
  return `backups could not be made or restored on trial for a day: ${failing.slice(0, NAMED).join(', ')}${more}`;
}
