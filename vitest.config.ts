import { defineConfig } from 'vitest/config';
import { SlowFilesFirst } from './scripts/lib/slow-files-first.mjs';

/** Suites by what they need: `npx vitest --project unit` runs without a database or a browser. */
const sourceConditions = { conditions: ['headrace-source', 'node'] };
const node = { resolve: sourceConditions, ssr: { resolve: sourceConditions } };
/** What a test waits for comes late where the machine is busy: a second, as is usual, is no proof that it doesn't. */
const patient = { expect: { poll: { timeout: 20_000 } } };

/**
 * What is tried against the system's PostgreSQL too: where the SQL is of its own kind (migrations, locks, copies, partitions, time
 * zones, sums over time) or talks to PostgreSQL's programs. Everything is tried against the embedded one.
 */
const ofBothPostgres = [
  'db',
  'jobs',
  'features/access',
  'features/dead-letters',
  'features/farms',
  'features/flow',
  'features/irr-diary',
  'features/long-jobs',
  'features/operator',
  'features/outbox',
  'features/programmes',
  'features/readings',
  'features/schedules',
  'features/series',
  'features/tanks',
  'features/timeline',
  'features/transfer/backups',
  'features/undo',
  'features/usage',
  'features/waterings',
].map((folder) => `apps/server/src/${folder}/**/*.test.ts`);

const isOfTheSystem = process.env['TEST_DATABASE'] === 'system';

export default defineConfig({
  test: {
    sequence: { sequencer: SlowFilesFirst },
    projects: [
      {
        ...node,
        test: {
          name: 'unit',
          ...patient,
          // Real brokers and a year of history are among them, and the machine may be busy.
          testTimeout: 90_000,
          isolate: false,
          maxWorkers: 2,
          include: [
            'packages/**/*.test.ts',
            'apps/simulator/**/*.test.ts',
            'apps/server/src/**/*.unit.test.ts',
          ],
        },
      },
      {
        ...node,
        test: {
          name: 'server',
          ...patient,
          include: isOfTheSystem ? ofBothPostgres : ['apps/server/src/**/*.test.ts'],
          exclude: [
            '**/*.unit.test.ts',
            '**/node_modules/**',
            '**/*.process.test.ts',
            // Months of simulated radio, of which the SQL is tried beside them.
            ...(isOfTheSystem ? ['**/simulated-month.test.ts', '**/planned-to-watered.test.ts'] : []),
          ],
          globalSetup: ['apps/server/src/testing/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          // Each file has a server and a database of its own, but not modules: loading them took half of the time.
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        ...node,
        test: {
          name: 'process',
          ...patient,
          include: ['apps/server/src/**/*.process.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          // They wait for most of their time, for kills, outages, and what comes back after them: three keep two cores busy.
          maxWorkers: 3,
        },
      },
      './apps/web/vitest.config.ts',
      {
        ...node,
        test: {
          name: 'journeys',
          ...patient,
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['e2e/support/prepared-demo.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          // Each file has servers and ports of its own, and waits for most of its time: three keep two cores busy.
          maxWorkers: 3,
        },
      },
    ],
  },
});
