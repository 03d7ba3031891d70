import { chmod, chown, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../db/client.ts';
import { isOnDisk, noteSaved, readKeptSession } from '../device-connections/kept-session.ts';
import { validGatewayKeys, validIntegrationKeys } from '../device-connections/valid-keys.ts';
import { UsageError } from './usage-error.ts';

/** Names that are ours to write: MAC addresses and integration keys. All other lines of the file are the operator's. */
const OURS = /^(?:[0-9A-F]{12}|[0-9A-F]{16}|int-[0-9a-f]{8}):/;

/** Mosquitto looks at its signals at least each second; what waits takes a moment to write. */
const SAVE_WITHIN_MS = 10_000;

interface BrokerUser {
  name: string;
  /** Null for keys that were made before they were kept in the broker's form. */
  hash: string | null;
}

/** Where the Mosquitto is that the file is for. */
export interface MosquittoPlace {
  pidFile?: string | undefined;
  /** Where it keeps sessions over its restarts. */
  stateFile?: string | undefined;
}

/**
 * Brings Mosquitto's password file in step with the keys of gateways and network servers, and makes Mosquitto read it.
 * Does nothing when nothing changed, so that a timer may call it. The first devices are let in once what Mosquitto keeps for
 * the servers is on its disk: what it acknowledged before would be gone with a crash.
 */
export async function writeBrokerUsers(db: Db, path: string, place: MosquittoPlace = {}): Promise<string> {
  const { pidFile } = place;
  const users = await readUsers(db);
  const before = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new UsageError(`${path} can't be read: ${error.code}.`);
  });
  const all = before.split('\n').filter((line) => line !== '');
  const kept = all.filter((line) => !OURS.test(line));
  const isFirst = kept.length === all.length;
  if (isFirst && users.length > 0 && !(await isSessionSaved(db, place))) return NOT_YET;
  const own = linesOf(users);
  const after = [...kept, ...own].map((line) => `${line}\n`).join('');
  const lines = [`${own.length} devices and network servers may sign in.`, ...withoutHash(users)];
  if (after === before) return ['Nothing has changed.', ...lines].join('\n');
  await replaceFile(path, after);
  return [`${path} written.`, ...lines, await reload(pidFile)].join('\n');
}

const NOT_YET =
  'No device is let in yet: what the broker keeps for the servers is not on its disk, and a crash would lose it. Start a server with MQTT_URL, and run this again in a minute and a half.';

/** Only our own lines of the file, for those who put it together elsewhere. Throws while no device may be let in. */
export async function brokerUserLines(db: Db): Promise<string> {
  if (!isOnDisk(await readKeptSession(db))) throw new UsageError(NOT_YET);
  return linesOf(await readUsers(db)).join('\n');
}

const linesOf = (users: readonly BrokerUser[]) =>
  users.flatMap(({ name, hash }) => (hash === null ? [] : [`${name}:${hash}`]));

async function readUsers(db: Db): Promise<BrokerUser[]> {
  const gateways = await validGatewayKeys(db)
    .select(['k.mac as name', 'k.broker_hash as hash'])
    .orderBy('k.mac')
    .execute();
  const networkServers = await validIntegrationKeys(db)
    .select(['k.user_name as name', 'k.broker_hash as hash'])
    .orderBy('k.user_name')
    .execute();
  return [...gateways, ...networkServers];
}

function withoutHash(users: readonly BrokerUser[]): string[] {
  const names = users.filter(({ hash }) => hash === null).map(({ name }) => name);
  if (names.length === 0) return [];
  return [
    `Left out, since their keys are older than this way of signing in; renew them: ${names.join(', ')}.`,
  ];
}

/** In one step, with the owner and rights of the file before: Mosquitto must be able to read it. */
async function replaceFile(path: string, content: string): Promise<void> {
  const former = await stat(path).catch(() => null);
  const beside = `${path}.new`;
  try {
    await writeFile(beside, content, { mode: 0o640 });
    if (former) {
      await chmod(beside, former.mode & 0o777);
      await chown(beside, former.uid, former.gid);
    }
    await rename(beside, path);
  } catch (error) {
    throw new UsageError(`${path} can't be written: ${(error as NodeJS.ErrnoException).code}.`);
  }
}

/** Mosquitto writes it when it is told to; how old it has to be without that, kept-session.ts says. */
async function isSessionSaved(db: Db, { pidFile, stateFile }: MosquittoPlace): Promise<boolean> {
  const session = await readKeptSession(db);
  if (!session || isOnDisk(session)) return session !== null;
  const writtenAt = async () => (stateFile && (await stat(stateFile).catch(() => null))?.mtimeMs) || 0;
  if (pidFile === undefined || stateFile === undefined) return false;
  const before = await writtenAt();
  await signal(pidFile, 'SIGUSR1');
  for (const until = performance.now() + SAVE_WITHIN_MS; performance.now() < until; await sleep(50)) {
    if ((await writtenAt()) <= before) continue;
    await noteSaved(db, new Date());
    return true;
  }
  return false;
}

/** Mosquitto reads the file again on SIGHUP, and ends the connections of those who may no longer sign in. */
async function reload(pidFile: string | undefined): Promise<string> {
  if (pidFile === undefined) return 'Now make Mosquitto read it: systemctl reload mosquitto.';
  await signal(pidFile, 'SIGHUP');
  return 'Mosquitto reads it.';
}

async function signal(pidFile: string, name: 'SIGHUP' | 'SIGUSR1'): Promise<void> {
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).trim());
  if (!Number.isInteger(pid) || pid < 2) throw new UsageError(`${pidFile} holds no process id.`);
  try {
    process.kill(pid, name);
  } catch (error) {
    throw new UsageError(
      `Mosquitto (process ${pid}) can't be told: ${(error as NodeJS.ErrnoException).code}.`,
    );
  }
}
