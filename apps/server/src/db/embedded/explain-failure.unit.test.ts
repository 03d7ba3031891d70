import { expect, test } from 'vitest';
import { explainFailure, isPassing } from './explain-failure.ts';

const place = { dataDir: '/srv/data' };

/** Lines as PostgreSQL 18, the dynamic linker and Node print them. */
const cases = [
  ['disk-full', 'PANIC:  could not write to file "pg_wal/xlogtemp.9": No space left on device'],
  [
    'disk-full',
    'FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes at block 9\nHINT:  Check free disk space.\nPANIC:  cannot abort transaction 1',
  ],
  ['disk-full', 'Error: ENOSPC: no space left on device, write'],
  ['disk-full', 'initdb: error: could not write to file "base/1/2674": Disk quota exceeded'],
  [
    'start-failed',
    'FATAL:  could not resize shared memory segment "/PostgreSQL.38" to 1048576 bytes: No space left on device',
  ],
  ['start-failed', 'FATAL:  could not map anonymous shared memory: Cannot allocate memory'],
  ['start-failed', 'initdb: could not look up effective user ID 12345: user does not exist'],
  [
    'no-binary',
    'postgres: error while loading shared libraries: libicui18n.so.60: cannot open shared object file',
  ],
  ['unreadable', 'FATAL:  data directory "/srv/data/postgres" has wrong ownership'],
  ['unreadable', 'FATAL:  could not open file "postmaster.pid": Permission denied'],
  ['unreadable', "Error: EACCES: permission denied, mkdir '/srv/data'"],
  ['unreadable', 'FATAL:  could not create lock file "postmaster.pid": Read-only file system'],
  ['unreadable', 'PANIC:  could not locate a valid checkpoint record at 0/15DF1B0'],
  ['unreadable', 'postgres: could not find the database system\nExpected to find it in the directory "/srv"'],
  ['unreadable', "Error: ENOTDIR: not a directory, mkdir '/srv/data'"],
  ['start-failed', 'PANIC:  something nobody has seen'],
  ['in-use', 'FATAL:  lock file "postmaster.pid" already exists\nHINT:  Is another postmaster running?'],
  ['in-use', 'FATAL:  pre-existing shared memory block (key 53, ID 3) is still in use'],
  ['wrong-version', 'FATAL:  database files are incompatible with server'],
  ['start-failed', 'FATAL:  invalid value for parameter "wal_compression": "lz4"'],
  ['start-failed', ''],
] as const;

test.each(cases)('%s: %s', (code, printed) => {
  const error = explainFailure(printed, place);
  expect(error.code).toBe(code);
  expect(error.detail).toBe(printed);
  expect(error.message).toMatch(/^[^\n]+: [^\n]+\.$/); // What happened: the remedy.
});

test('an unknown failure is quoted and names the way out', () => {
  const { message } = explainFailure(
    'LOG:  starting PostgreSQL\nFATAL:  unrecognized configuration parameter "x"\nLOG:  stopped',
    place,
  );
  expect(message).toContain('unrecognized configuration parameter "x"');
  expect(message).toContain('DATABASE_URL');
});

test.each([
  [true, 'LOG:  could not bind IPv4 address "127.0.0.1": Address already in use'],
  [true, 'FATAL:  pre-existing shared memory block (key 53, ID 3) is still in use'],
  [false, 'FATAL:  database files are incompatible with server'],
])('worth another try %s: %s', (expected, printed) => {
  expect(isPassing(printed)).toBe(expected);
});
