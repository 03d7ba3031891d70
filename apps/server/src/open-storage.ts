import type { FastifyBaseLogger } from 'fastify';
import type { Config } from './config.ts';
import type { DatabaseSource } from './database-source.ts';
import { connectDatabase, type DatabaseClient } from './db/client.ts';
import type { DatabaseFault } from './db/database-fault.ts';
import { type DatabaseWatch, watchDatabase } from './db/database-watch.ts';
import { migrate } from './db/migrate.ts';
import { type DatabaseShare, shares } from './db/shares.ts';
import { readOrMakeDemoSecret } from './features/demo/demo-secret.ts';
import { seedDemo } from './features/demo/seed-demo.ts';
import { type DiskWatch, watchDisks } from './machine/disk-watch.ts';
import { createOperatorNotices, type OperatorNotices } from './machine/operator-notices.ts';
import { holdServerLock } from './single-server-lock.ts';

export interface Storage {
  /** Connections for people's calls, for what devices say, and for jobs: none waits for another's. */
  readonly ofCalls: DatabaseClient;
  readonly ofDevices: DatabaseClient;
  readonly ofJobs: DatabaseClient;
  readonly watch: DatabaseWatch;
  readonly disks: DiskWatch;
  readonly notices: OperatorNotices;
}

export interface StorageOptions {
  readonly config: Config;
  readonly log: FastifyBaseLogger;
  readonly source: DatabaseSource;
  readonly publicUrl: string;
  readonly now: () => Date;
  /** What is to be closed in the end, in the opposite order. */
  readonly opened: (() => Promise<unknown>)[];
}

/** The database with its newest schema, who watches it and the disks, and in the demo its farms. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const { config, log, source, publicUrl, now, opened } = options;
  const lock = await holdServerLock(source.url, { alone: !config.mqttUrl });
  opened.push(() => lock.release());
  let disks: DiskWatch | undefined;
  const connect = (share: DatabaseShare) => {
    const lost = (error: Error) => log.warn({ err: error }, 'database connection lost');
    const onFault = (fault: DatabaseFault) => fault === 'full' && disks?.databaseFull();
    const client = connectDatabase(source.url, { share, log: lost, onFault });
    opened.push(() => client.close());
    return client;
  };
  await migrate(connect(shares.migrations).db);
  const ofCalls = connect(shares.calls);
  const ofDevices = connect(shares.devices);
  const ofJobs = connect(shares.jobs);
  const watch = watchDatabase({ url: source.url, log });
  opened.push(() => watch.stop());
  const notices = createOperatorNotices({
    db: ofJobs.db,
    to: config.operatorMail,
    mail: config.sending.mail,
    publicUrl,
    now,
    log,
  });
  disks = watchDisks({ ...config, isEmbedded: !config.databaseUrl, limits: config.disk, notices });
  opened.push(async () => disks?.stop());
  if (config.demo) await seedDemo(ofCalls.db, await readOrMakeDemoSecret(config.dataDir), now());
  return { ofCalls, ofDevices, ofJobs, watch, disks, notices };
}
