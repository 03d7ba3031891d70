import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import type { ServerFrame } from '@headrace/contract/live';
import type { Db } from './db/client.ts';
import type { LongJobType } from './features/long-jobs/long-job-type.ts';
import type { Mount } from './http/mount.ts';
import type { OperatorGuard } from './http/operator.ts';
import type { Job } from './jobs/run-every.ts';
import type { LivePublisher } from './live/live-publisher.ts';
import type { MqttTransport } from './mqtt/transport.ts';

/** What every feature can have: the database, the clock, the log, and the ways to pages and devices. */
export interface Core {
  /** For people's calls. */
  readonly db: Db;
  readonly pool: Pool;
  /** The same database by the connections that jobs have for themselves. */
  readonly ofJobs: { readonly db: Db; readonly pool: Pool };
  readonly now: () => Date;
  readonly log: FastifyBaseLogger;
  /** To open pages, on all servers. */
  readonly live: LivePublisher;
  /** To a gateway, through the broker. */
  readonly publishDown: MqttTransport['publish'];
  /** Devices of a farm were added, changed or removed: what ingest knows of them is no longer so. */
  readonly onDevicesChanged: (farmId: number) => void;
  /** Ends a sender's broker sessions, as after its key was withdrawn. */
  readonly disconnectSender: (senderKey: string) => void;
  /** Where people reach the app: links in mails begin with it. */
  readonly publicUrl: string;
}

/**
 * What a feature gives the server, each part where it has one. Its `<subject>.feature.ts` makes it from the core and from the
 * features that it needs, which are arguments; app.ts lists them all, so that the order of their needs can be read there.
 */
export interface Feature {
  /** Mounts its endpoints of the contract. */
  readonly routes?: (mount: Mount) => void;
  /** Pages that are no endpoints of the contract, as the operator's; each guards itself. */
  readonly pages?: (http: FastifyInstance, operators: OperatorGuard) => void;
  /** What is done again and again, on one server at a time. */
  readonly jobs?: readonly Job[];
  /** What it does that takes longer than a call; `enqueueJob` asks for it. */
  readonly longJobs?: readonly LongJobType[];
  /** A gateway has come back and has the time: it is told what it missed. Features are asked one after the other. */
  readonly onHello?: (gateway: { farmId: number; gatewayId: number }) => Promise<void>;
  /** What a live connection is told first, in the order of the features. */
  readonly openingFrames?: (accountId: number, now: Date) => Promise<ServerFrame[]>;
  /** Resolves when what it does beside calls is done; no calls come any more. Before the database is closed. */
  readonly settle?: () => Promise<void>;
}
