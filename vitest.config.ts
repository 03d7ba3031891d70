import { defineConfig } from 'vitest/config';
import { SlowFilesFirst } from './scripts/lib/slow-files-first.mjs';

/** Suites by what they need: `npx vitest --project unit` runs without a database or a browser. */
const sourceConditions = { conditions: ['headrace-source', 'node'] };
const node = { resolve: sourceConditions, ssr: { resolve: sourceConditions } };
/** What a test waits for comes late where the machine is busy: a second, as is usual, is no proof that it doesn't. */
const patient = { expect: { poll: { timeout: 20_000 } } };

/** What takes long and doesn't hang on whose PostgreSQL it is is tried against one: its SQL is in the tests of its features too. */
const ofOnePostgres = [
  // Who may call what.
  'the-wall',
  'attack',
  // Threads that run codecs, and the turns that they have.
  'codec-ingest',
  'fair-decoding',
  // Months and nights of simulated radio.
  'simulated-month',
  'planned-to-watered',
  // Hashes of passwords, and mail servers.
  'guessing',
  'send-mail',
].map((name) => `**/${name}.test.ts`);

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
          testTimeout: 30_000,
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
          include: ['apps/server/src/**/*.test.ts'],
          exclude: [
            '**/*.unit.test.ts',
            '**/node_modules/**',
            '**/*.process.test.ts',
            ...(process.env['TEST_DATABASE'] === 'system' ? ofOnePostgres : []),
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
          // They wait for most of their time: for kills, outages, and what comes back after them.
          maxWorkers: 2,
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
