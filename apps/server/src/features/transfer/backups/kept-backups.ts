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
/** What was kept before an import, a restore or a loss is of use for as long as that can be undone, ms. */
const BEFORE_MS = 30 * 86_400_000;

/**
 * Ids of those that go: nights beyond the last 7, but for the newest of each of 4 weeks and 6 months, and of what was made before a change
 * all but the newest 5, and what can't be undone any more. While the farm has more than 20 then, the oldest from before a change go, and
 * only then the oldest nights: whoever changes much, again and again, pushes no night out. A person's own stay until they are deleted, the
 * newest night and the newest from before a change stay, and so does the one that is being restored (`keeping`, its uid).
 */
export function tooMany(backups: readonly KeptBackup[], now: Date, keeping?: string): number[] {
  const newest = backups.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  const isKept = ({ uid }: KeptBackup) => uid === keeping;
  const nights = nightsKept(newest.filter(({ cause }) => cause === 'night'));
  const befores = newest
    .filter(({ cause }) => cause === 'before')
    .slice(0, BACKUPS_PER_FARM.before)
    .filter(({ createdAt }) => now.getTime() - createdAt.getTime() <= BEFORE_MS);
  const stays = new Set([
    ...newest.filter((backup) => backup.cause === 'person' || isKept(backup)),
    ...nights,
    ...befores,
  ]);
  const mayGo = [...befores.slice(1).toReversed(), ...nights.slice(1).toReversed()].filter(
    (backup) => !isKept(backup),
  );
  const over = Math.max(0, stays.size - BACKUPS_PER_FARM.all);
  for (const backup of mayGo.slice(0, over)) stays.delete(backup);
  return newest.filter((backup) => !stays.has(backup)).map(({ id }) => id);
}

/** The newest first, as they are given. */
function nightsKept(nights: readonly KeptBackup[]): KeptBackup[] {
  const kept = new Set([
    ...nights.slice(0, NIGHTS),
    ...firstOfEach(nights, ({ createdAt }) => `${Math.floor(createdAt.getTime() / WEEK_MS)}`).slice(0, WEEKS),
    ...firstOfEach(nights, ({ createdAt }) => createdAt.toISOString().slice(0, 7)).slice(0, MONTHS),
  ]);
  return nights.filter((night) => kept.has(night));
}

/** The newest of each key, the newest key first. */
function firstOfEach(newest: readonly KeptBackup[], keyOf: (backup: KeptBackup) => string): KeptBackup[] {
  const found = new Map<string, KeptBackup>();
  for (const backup of newest) if (!found.has(keyOf(backup))) found.set(keyOf(backup), backup);
  return [...found.values()];
}
