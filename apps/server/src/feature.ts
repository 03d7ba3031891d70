import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import type { ServerFrame } from '@headrace/contract/live';
import type { Db } from './db/client.ts';
import type { LongJobType } from './features/long-jobs/long-job-type.ts';
import type { Mount } from './http/mount.ts';
import type { OperatorGuard } from './http/operator.ts';
import type { Job } from './jobs/run-every.ts';
import type { LiveSources } from './live/live-hub.ts';
import type { LivePublisher } from './live/live-publisher.ts';
import type { MqttTransport } from './mqtt/transport.ts';

/** What every feature may use: the database, the clock, the log, and the connections to pages and devices. */
export interface Core {
  /** For calls of people. */
  readonly db: Db;
  readonly pool: Pool;
  /** The same database through connections that are reserved for jobs. */
  readonly ofJobs: { readonly db: Db; readonly pool: Pool };
  readonly now: () => Date;
  readonly log: FastifyBaseLogger;
  /** To open pages, on all servers. */
  readonly live: LivePublisher;
  /** To a gateway, through the broker. */
  readonly publishDown: MqttTransport['publish'];
  /** Devices of a farm were added, changed or removed: ingest drops what it remembers of them. */
  readonly onDevicesChanged: (farmId: number) => void;
  /** Ends a sender's broker sessions, as after its key was withdrawn. */
  readonly disconnectSender: (senderKey: string) => void;
  /** Where people reach the app: links in mails begin with it. */
  readonly publicUrl: string;
}

/** Each of them is given by one feature. */
export type FeatureSources = Omit<LiveSources, 'openingFrames'>;

/**
 * What a feature adds to the server. Every part is optional. `<subject>.feature.ts` creates it from the core and from the features that it
 * needs, which are its arguments. app.ts lists all features, each below those that it needs.
 */
export interface Feature {
  /** Mounts its endpoints of the contract. */
  readonly routes?: (mount: Mount) => void;
  /** Pages outside the contract, such as the operator's. Each checks access itself. */
  readonly pages?: (http: FastifyInstance, operators: OperatorGuard) => void;
  /** Repeated work, on one server at a time. */
  readonly jobs?: readonly Job[];
  /** Work that takes longer than a call; `enqueueJob` adds it to the queue. */
  readonly longJobs?: readonly LongJobType[];
  /** A gateway has connected again and has the time: send it what it missed. Called for one feature after the other. */
  readonly onHello?: (gateway: { farmId: number; gatewayId: number }) => Promise<void>;
  /** Devices of these farms have said something that was stored. */
  readonly onCommitted?: (farmIds: ReadonlySet<number>) => void;
  /** What it tells the hub of open pages. */
  readonly liveSources?: Partial<FeatureSources>;
  /** The first frames of a live connection, in the order of the features. */
  readonly openingFrames?: (accountId: number, now: Date) => Promise<ServerFrame[]>;
  /** At shutdown, after the last call and before the database is closed: resolves when background work is done. */
  readonly settle?: () => Promise<void>;
}
