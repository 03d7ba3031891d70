import type { AedesOptions, AuthErrorCode, Client, ConnectPacket } from 'aedes';
import { AttemptLimit, addressKey } from './attempt-limit.ts';
import type { Counters } from './counters.ts';
import { type TransportLog, type Sender, senderKey } from './transport.ts';
import type { LimitedConnection } from './limited-connection.ts';
import { MAX_SESSIONS_PER_KEY, SIGN_INS_AT_ONCE } from './limits.ts';
import { Turns } from './turns.ts';

/** Resolves to null when user name and password do not belong together; rejects when that can't be found out now. */
export type Authenticate = (username: string, password: string, address: string) => Promise<Sender | null>;

export interface SignInOptions {
  authenticate: Authenticate;
  counters: Counters;
  log: TransportLog;
  clock: () => Date;
  maxFailuresPerMinute: number;
  /** Clients that have signed in, at most. */
  maxSignedIn: number;
}

type Done = Parameters<NonNullable<AedesOptions['authenticate']>>[3];
type Code = AuthErrorCode | typeof ACCEPTED;
const ACCEPTED = 0;
const SERVER_UNAVAILABLE: AuthErrorCode = 3;
const BAD_KEY: AuthErrorCode = 4;
const NOT_NOW: AuthErrorCode = 5;
const ANSWER_WITHIN_MS = 10_000;
const MINUTE_MS = 60_000;

/**
 * Who is on which connection. Guessing is limited per address, and more tightly per user name at an address, so that one
 * gateway with a wrong key does not lock out its neighbours behind the same router.
 */
export function createSignIn(options: SignInOptions) {
  const { counters, log, clock } = options;
  const senders = new WeakMap<Client, Sender>();
  const packets = new WeakMap<Client, ConnectPacket>();
  const sessions = new Map<string, Set<Client>>();
  const turns = new Turns(SIGN_INS_AT_ONCE);
  let signedIn = 0;
  const byAddress = new AttemptLimit(options.maxFailuresPerMinute, MINUTE_MS);
  const byUser = new AttemptLimit(Math.ceil(options.maxFailuresPerMinute / 3), MINUTE_MS);

  async function checkOrExcuse(client: Client, username: string, password: string): Promise<Code> {
    try {
      return await check(client, username, password);
    } catch (error) {
      counters.add('signInUnavailable');
      log('sign-in failed', { error });
      return SERVER_UNAVAILABLE;
    }
  }

  async function check(client: Client, username: string, password: string): Promise<Code> {
    const address = (client.conn as LimitedConnection).remoteAddress;
    return turns.take(addressKey(address), () => checkInTurn(client, username, password, address));
  }

  async function checkInTurn(
    client: Client,
    username: string,
    password: string,
    address: string,
  ): Promise<Code> {
    const addressId = addressKey(address);
    const userId = `${addressId} ${username}`;
    if (byAddress.isBlocked(addressId, clock()) || byUser.isBlocked(userId, clock())) {
      counters.add('tooManyAttempts');
      return NOT_NOW;
    }
    const sender = await withinTime(options.authenticate(username, password, address));
    if (sender === null) {
      counters.add('wrongKey');
      byAddress.fail(addressId, clock());
      byUser.fail(userId, clock());
      log('sign-in refused', { address });
      return BAD_KEY;
    }
    const own = sessions.get(senderKey(sender))?.size ?? 0;
    if (own === 0 && signedIn >= options.maxSignedIn) {
      counters.add('tooManyConnections');
      return SERVER_UNAVAILABLE;
    }
    await admit(client, sender);
    return ACCEPTED;
  }

  async function admit(client: Client, sender: Sender): Promise<void> {
    const key = senderKey(sender);
    senders.set(client, sender);
    takeIdentity(client, packets.get(client), sender);
    const own = sessions.get(key) ?? new Set();
    const older = [...own].slice(0, Math.max(0, own.size + 1 - sessionsOf(sender)));
    sessions.set(key, own.add(client));
    signedIn += 1;
    client.conn.once('close', () => {
      signedIn -= 1;
      own.delete(client);
      if (own.size === 0 && sessions.get(key) === own) sessions.delete(key);
    });
    await Promise.all(older.map(closeFully));
  }

  return {
    senderOf: (client: Client): Sender | undefined => senders.get(client),

    preConnect(
      client: Client,
      packet: ConnectPacket,
      done: (error: Error | null, ok: boolean) => void,
    ): void {
      packets.set(client, packet);
      (client.conn as LimitedConnection).keepAlive(packet.keepalive ?? 0);
      packet.keepalive = 0; // Ours to watch, see LimitedConnection.
      done(null, true);
    },

    async authenticate(
      client: Client,
      username = '',
      password: Readonly<Buffer> = Buffer.alloc(0),
      done: Done,
    ): Promise<void> {
      const code = await checkOrExcuse(client, username, password.toString('utf8'));
      if (code === ACCEPTED) done(null, true);
      else done(Object.assign(new Error('sign-in refused'), { returnCode: code }), false);
    },

    disconnect(key: string): void {
      for (const client of sessions.get(key) ?? []) client.close();
    },
  };
}

/**
 * Client ids are whatever a client claims, and the broker ends a session whose id is claimed again: so each sender gets
 * ids of its own. Devices keep no session: a command must not wait in memory and arrive past its time.
 */
function takeIdentity(client: Client, packet: ConnectPacket | undefined, sender: Sender): void {
  const identity = client as { id: string; clean: boolean };
  identity.id = sender.kind === 'gateway' ? senderKey(sender) : `${senderKey(sender)}:${client.id}`;
  if (sender.kind === 'server' || packet === undefined) return;
  identity.clean = true;
  packet.clean = true;
}

/** Beyond that the newest wins. */
function sessionsOf({ kind }: Sender): number {
  if (kind === 'gateway') return 1;
  return kind === 'network' ? MAX_SESSIONS_PER_KEY : Number.POSITIVE_INFINITY;
}

/** Two turns more than the close itself, which the broker finishes late when it was already under way. */
async function closeFully(client: Client): Promise<void> {
  await new Promise<void>((resolve) => client.close(() => resolve()));
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}

function withinTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('sign-in took too long')), ANSWER_WITHIN_MS);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
