import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts';
import { noteRun } from './backup-runs.ts';
import { watchBackups } from './watch-backups.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const start = Date.parse('2026-11-20T21:00:00Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.deleteFrom('backup_run').execute();
});

interface Ran {
  kind: 'backup' | 'drill';
  before: number;
  fault?: string;
  isScheduled?: boolean;
}

async function watched(runs: readonly Ran[], since = 4 * HOUR) {
  for (const { kind, before, fault = '', isScheduled = true } of runs)
    await noteRun(database.url, {
      kind,
      at: new Date(start - before),
      isScheduled,
      path: '/backups/one.tar.gz',
      bytes: 1000,
      madeAt: null,
      tookMs: 1,
      fault,
    });
  const told = new Set<string>();
  let now = start - since;
  const notices = { tell: async (subject: string) => void told.add(subject) };
  const watch = watchBackups({ db: database.db, now: () => new Date(now), notices });
  now = start;
  await watch.look();
  const registry = new Registry();
  watch.metrics(registry);
  const metrics = await registry.metrics();
  watch.stop();
  return { told: [...told], check: watch.check(), metrics };
}

it.each<[string, Ran[], string, string[]]>([
  ['none was ever made', [], 'warning: no backup of this server was ever made', []],
  [
    'all is well',
    [
      { kind: 'backup', before: HOUR },
      { kind: 'drill', before: DAY },
    ],
    'ok',
    [],
  ],
  [
    'none was restored on trial',
    [{ kind: 'backup', before: HOUR }],
    'warning: no backup was ever restored on trial',
    [],
  ],
  [
    'the newest one of a timer is old',
    [
      { kind: 'backup', before: 3 * DAY },
      { kind: 'drill', before: DAY },
    ],
    'warning: the newest backup is 3 days old',
    ['the newest backup is old'],
  ],
  [
    'the newest one is old, and there is no timer',
    [
      { kind: 'backup', before: 3 * DAY, isScheduled: false },
      { kind: 'drill', before: DAY },
    ],
    'ok',
    [],
  ],
  [
    'the last one failed',
    [
      { kind: 'backup', before: DAY },
      { kind: 'backup', before: HOUR, fault: 'The disk is full.' },
      { kind: 'drill', before: DAY },
    ],
    'warning: the backup of 2026-11-20 20:00 UTC failed: The disk is full',
    ['a backup failed'],
  ],
  [
    'the last drill failed',
    [
      { kind: 'backup', before: HOUR },
      { kind: 'drill', before: 8 * DAY },
      { kind: 'drill', before: DAY, fault: 'Rows are missing.' },
    ],
    'warning: the trial restore of 2026-11-19 21:00 UTC failed: Rows are missing',
    ['a backup could not be restored on trial'],
  ],
  [
    'one that was begun later failed before the last one ended well',
    [
      { kind: 'backup', before: HOUR, fault: 'The disk is full.' },
      { kind: 'backup', before: 2 * HOUR },
      { kind: 'drill', before: HOUR, fault: 'Rows are missing.' },
      { kind: 'drill', before: 2 * HOUR },
    ],
    'ok',
    [],
  ],
  [
    'drills stay away',
    [
      { kind: 'backup', before: HOUR },
      { kind: 'drill', before: 17 * DAY },
    ],
    'warning: the last trial restore of a backup was 17 days ago',
    ['backups are not restored on trial any more'],
  ],
])('tells /readyz and the operator where %s', async (_name, runs, check, told) => {
  expect(await watched(runs)).toMatchObject({ check, told });
});

it('after a machine was off, its timers have time to make up for what they missed', async () => {
  const { told } = await watched(
    [
      { kind: 'backup', before: 3 * DAY },
      { kind: 'drill', before: DAY },
    ],
    HOUR,
  );
  expect(told).toEqual([]);
});

it('has metrics: ages of what went well, and whether the last drill did', async () => {
  const { metrics } = await watched([
    { kind: 'backup', before: 2 * HOUR },
    { kind: 'drill', before: 8 * DAY },
    { kind: 'drill', before: DAY, fault: 'Rows are missing.' },
  ]);
  expect(metrics).toMatch(/^headrace_backup_age_seconds 7200$/m);
  expect(metrics).toMatch(/^headrace_backup_bytes 1000$/m);
  expect(metrics).toMatch(/^headrace_backup_drill_ok 0$/m);
  expect(metrics).toMatch(/^headrace_backup_drill_age_seconds 691200$/m);
});

it('has no age where there was none, and never calls it good', async () => {
  const { metrics } = await watched([]);
  expect(metrics).not.toMatch(/^headrace_backup_age_seconds /m);
  expect(metrics).toMatch(/^headrace_backup_drill_ok 0$/m);
});
