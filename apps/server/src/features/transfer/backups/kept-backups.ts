import { BACKUPS_PER_FARM } from '@headrace/contract/limits';

export interface KeptBackup {
  readonly id: number;
  readonly uid: string;
  readonly cause: 'person' | 'night' | 'before';
  readonly createdAt: Date;
}

const NIGHTS = 7;
const WEEKS = 4;
const MONTHS = 6;
const WEEK_MS = 7 * 86_400_000;
/** What was kept before an import or a restore is of use for as long as that can be undone, ms. */
const BEFORE_MS = 30 * 86_400_000;

/**
 * Ids of those that go: nights beyond the last 7, but for the newest of each of 4 weeks and 6 months, and what was made before a change
 * that can't be undone any more; then the oldest of those that were made by themselves while the farm has more than 20. A person's own
 * stay until they are deleted, the newest night stays, and so does the one that is being restored (`keeping`, its uid).
 */
export function tooMany(backups: readonly KeptBackup[], now: Date, keeping?: string): number[] {
  const newest = backups.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  const nights = newest.filter(({ cause }) => cause === 'night');
  const kept = new Set([
    ...nights.slice(0, NIGHTS),
    ...firstOfEach(nights, ({ createdAt }) => `${Math.floor(createdAt.getTime() / WEEK_MS)}`).slice(0, WEEKS),
    ...firstOfEach(nights, ({ createdAt }) => createdAt.toISOString().slice(0, 7)).slice(0, MONTHS),
  ]);
  const stays = (backup: KeptBackup) =>
    backup.cause === 'person' ||
    backup.uid === keeping ||
    kept.has(backup) ||
    (backup.cause === 'before' && now.getTime() - backup.createdAt.getTime() <= BEFORE_MS);
  const staying = newest.filter(stays);
  const byThemselves = staying.filter(({ cause }) => cause !== 'person');
  const mayGo = byThemselves.filter((backup) => backup !== nights[0] && backup.uid !== keeping);
  const over = Math.min(mayGo.length, Math.max(0, staying.length - BACKUPS_PER_FARM.all));
  const gone = new Set([...newest.filter((backup) => !stays(backup)), ...mayGo.slice(mayGo.length - over)]);
  return newest.filter((backup) => gone.has(backup)).map(({ id }) => id);
}

/** The newest of each key, the newest key first. */
function firstOfEach(newest: readonly KeptBackup[], keyOf: (backup: KeptBackup) => string): KeptBackup[] {
  const found = new Map<string, KeptBackup>();
  for (const backup of newest) if (!found.has(keyOf(backup))) found.set(keyOf(backup), backup);
  return [...found.values()];
}
