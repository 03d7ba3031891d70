import { pino } from 'pino';
import type { AppOptions } from './app-options.ts';
import type { DatabaseClient } from './db/client.ts';
import type { Sandbox } from './features/codecs/sandbox/sandbox.ts';
import { createLocalBus } from './live/live-bus.ts';
import { createLivePublisher } from './live/live-publisher.ts';

/** What the app is made of where it is asked within its own process alone: it listens nowhere, reaches no devices and sends nothing. */
export const closedApp = (
  database: Pick<DatabaseClient, 'db' | 'pool'>,
  trySandbox: Sandbox,
  now: () => Date,
): AppOptions => ({
  db: database.db,
  pool: database.pool,
  ofJobs: database,
  database: { check: async () => null, isAway: () => false },
  log: pino({ level: 'silent' }),
  now,
  publicUrl: 'http://localhost',
  webFolder: '',
  installation: { demo: false, tileUrl: '', tileAttribution: '', tileMaxZoom: 19 },
  broker: () => null,
  refuseDemoAccounts: false,
  trustedProxies: 0,
  operatorToken: null,
  live: createLivePublisher(createLocalBus()),
  deviceReadiness: () => ({}),
  disconnectSender: () => {},
  onDevicesChanged: () => {},
  publishDown: async () => {},
  trySandbox,
  wakeDecoding: () => {},
  takeAgain: async () => null,
});
