import { EmbeddedPostgresError, type EmbeddedPostgresErrorCode } from './embedded-postgres-error.ts';

export interface FailurePlace {
  dataDir: string;
}

interface Explanation {
  when: RegExp;
  code: EmbeddedPostgresErrorCode;
  say: (place: FailurePlace) => string;
}

/** What PostgreSQL and initdb print (always in English: they run with LC_ALL=C), most telling first. */
const explanations: Explanation[] = [
  {
    when: /shared memory segment.*No space left on device/,
    code: 'start-failed',
    say: () =>
      'The machine has too little shared memory for the database: give the container more /dev/shm (for example --shm-size=256m).',
  },
  {
    // The hint follows a write that stopped halfway, where the system gives no reason.
    when: /No space left on device|Check free disk space|ENOSPC|Disk quota exceeded|EDQUOT/,
    code: 'disk-full',
    say: ({ dataDir }) =>
      `The disk that holds ${dataDir} is full: free some space and start again; the data is safe.`,
  },
  {
    when: /could not map anonymous shared memory|Cannot allocate memory|out of memory/i,
    code: 'start-failed',
    say: () =>
      'The machine has too little free memory for the database (it needs about 256 MB): stop other programs, or set DATABASE_URL to a PostgreSQL on another machine.',
  },
  {
    when: /error while loading shared libraries|Library not loaded|cannot execute binary file|Exec format error/,
    code: 'no-binary',
    say: () =>
      'The PostgreSQL that came with Headrace cannot run on this system: set DATABASE_URL to a PostgreSQL 15 or later of your own.',
  },
  {
    when: /could not look up effective user ID/,
    code: 'start-failed',
    say: () =>
      'Headrace runs as a user without a name in /etc/passwd, which PostgreSQL refuses: run it as a named user, or set DATABASE_URL to a PostgreSQL 15 or later of your own.',
  },
  {
    when: /Permission denied|Read-only file system|EACCES|EROFS|EPERM|has wrong ownership|invalid permissions/,
    code: 'unreadable',
    say: ({ dataDir }) =>
      `The database in ${dataDir} cannot be read or written by this user: give the folder and all in it to the user who runs Headrace, or set DATA_DIR to another folder.`,
  },
  {
    when: /ENOTDIR|EEXIST/,
    code: 'unreadable',
    say: ({ dataDir }) => `${dataDir} is not a folder and cannot become one: set DATA_DIR to another folder.`,
  },
  {
    when: /lock file "postmaster\.pid" already exists|pre-existing shared memory block/,
    code: 'in-use',
    say: ({ dataDir }) =>
      `Another PostgreSQL still uses the database in ${dataDir}: stop it, or set DATA_DIR to another folder.`,
  },
  {
    when: /database files are incompatible with server|is not compatible with this version/,
    code: 'wrong-version',
    say: ({ dataDir }) =>
      `The database in ${dataDir} was made by another PostgreSQL: start the Headrace release that made it, or set DATA_DIR to another folder.`,
  },
  {
    when: /could not find the database system|could not locate a valid checkpoint record|could not open file "global\/|invalid checksum/,
    code: 'unreadable',
    say: ({ dataDir }) =>
      `The database in ${dataDir} is damaged: keep a copy of the folder, then restore the last backup.`,
  },
];

/** The sentence for what a failed initdb or postgres printed; its last lines go along as `detail`. */
export function explainFailure(printed: string, place: FailurePlace, cause?: unknown): EmbeddedPostgresError {
  const found = explanations.find(({ when }) => when.test(printed));
  if (found) return new EmbeddedPostgresError(found.code, found.say(place), printed, cause);
  const message = `The database in ${place.dataDir} did not start (${lastError(printed)}): see the log, or set DATABASE_URL to a PostgreSQL 15 or later of your own.`;
  return new EmbeddedPostgresError('start-failed', message, printed, cause);
}

/** A port that somebody took since we chose it, or children of a killed server that are still leaving: both pass. */
export function isPassing(printed: string): boolean {
  return /could not bind IPv4 address|pre-existing shared memory block/.test(printed);
}

function lastError(printed: string): string {
  const lines = printed.trim().split('\n');
  const error = lines.findLast((line) => /FATAL|PANIC|ERROR|error:/.test(line)) ?? lines.at(-1);
  return error ? error.trim() : 'it printed nothing';
}
