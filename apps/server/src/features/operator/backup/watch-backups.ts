import { Gauge, type Registry } from 'prom-client';
import type { Db } from '../../../db/client.ts';
import type { OperatorNotices } from '../../../machine/operator-notices.ts';
import { type BackupStanding, readStanding } from './backup-runs.ts';

export interface BackupWatch {
  /** Asks, and tells the operator where it is due; as it does by itself each minute. */
  look(): Promise<void>;
  /** For /readyz: `ok`, or `warning: …`. */
  check(): string;
  metrics(registry: Registry): void;
  stop(): void;
}

interface Options {
  db: Db;
  now: () => Date;
  notices: OperatorNotices;
}

export interface Trouble {
  /** Empty: it is shown where somebody looks, and nobody is written to. */
  readonly subject: string;
  readonly sentence: string;
}

const EVERY_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A night was missed, and its backup wasn't made up for. */
const BACKUP_OLD_MS = 50 * HOUR_MS;
/** Two weekly drills were missed. */
const DRILL_OLD_MS = 16 * DAY_MS;
/** After a machine was off its timers make up first for what they missed. */
const TIMERS_MS = 3 * HOUR_MS;

/**
 * How the operator's backups stand, as their commands have noted it. A timer that doesn't run any more says nothing itself, so what stays
 * away is told as well as what fails.
 */
export function watchBackups({ db, now, notices }: Options): BackupWatch {
  const startedAt = now().getTime();
  let standing: BackupStanding | null = null;

  async function look(): Promise<void> {
    standing = await readStanding(db);
    const trouble = standing && judgeBackups(standing, now(), now().getTime() - startedAt > TIMERS_MS);
    if (trouble?.subject) await notices.tell(trouble.subject, [`${trouble.sentence}.`, WHAT_TO_DO]);
  }

  const timer = setInterval(() => void look().catch(() => {}), EVERY_MS);
  timer.unref();
  void look().catch(() => {});
  return {
    look,
    check() {
      if (!standing) return 'warning: how backups stand is not known yet';
      const trouble = judgeBackups(standing, now(), true);
      return trouble ? `warning: ${trouble.sentence}` : 'ok';
    },
    metrics(registry) {
      const gauge = (name: string, help: string, value: (of: BackupStanding) => number | null) =>
        registry.registerMetric(
          new Gauge({
            name,
            help,
            registers: [],
            collect() {
              const found = standing && value(standing);
              // Zero is what it begins with, and would be a backup of just now.
              if (found === null) this.remove();
              else this.set(found);
            },
          }),
        );
      const age = (at: Date | undefined) => (at ? (now().getTime() - at.getTime()) / 1000 : null);
      gauge(
        'headrace_backup_age_seconds',
        'Since the newest backup of the whole server that was read back; nothing where none was made',
        ({ backup }) => age(backup.good?.at),
      );
      gauge('headrace_backup_bytes', 'Size of that backup', ({ backup }) => backup.good?.bytes ?? null);
      gauge(
        'headrace_backup_drill_ok',
        '1: the last trial restore went well; 0: it failed, or there was none',
        ({ drill }) => Number(drill.last?.fault === ''),
      );
      gauge(
        'headrace_backup_drill_age_seconds',
        'Since the newest trial restore that went well; nothing where there was none',
        ({ drill }) => age(drill.good?.at),
      );
    },
    stop: () => clearInterval(timer),
  };
}

const WHAT_TO_DO =
  '"npm run admin -- backup-status" says how backups stand, "npm run admin -- drill-backup <folder>" restores the newest one on trial. Until one went well nobody knows whether what is stored here could be brought back.';

/** Null: backups are made, and the newest one that was restored on trial came back. */
export function judgeBackups({ backup, drill }: BackupStanding, now: Date, hadTime: boolean): Trouble | null {
  const ageMs = (at: Date) => now.getTime() - at.getTime();
  const days = (at: Date) => `${Math.floor(ageMs(at) / DAY_MS)} days`;
  if (backup.last && backup.last.fault !== '')
    return {
      subject: 'a backup failed',
      sentence: `the backup of ${when(backup.last.at)} failed: ${bare(backup.last.fault)}`,
    };
  if (drill.last && drill.last.fault !== '')
    return {
      subject: 'a backup could not be restored on trial',
      sentence: `the trial restore of ${when(drill.last.at)} failed: ${bare(drill.last.fault)}`,
    };
  if (!backup.good) return { subject: '', sentence: 'no backup of this server was ever made' };
  if (backup.isScheduled && hadTime && ageMs(backup.good.at) > BACKUP_OLD_MS)
    return {
      subject: 'the newest backup is old',
      sentence: `the newest backup is ${days(backup.good.at)} old`,
    };
  if (!drill.good) return { subject: '', sentence: 'no backup was ever restored on trial' };
  if (drill.isScheduled && hadTime && ageMs(drill.good.at) > DRILL_OLD_MS)
    return {
      subject: 'backups are not restored on trial any more',
      sentence: `the last trial restore of a backup was ${days(drill.good.at)} ago`,
    };
  return null;
}

const when = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
const bare = (sentence: string) => sentence.replace(/\.$/, '');
