import { chmod, chown, readFile, rename, stat, writeFile } from 'node:fs/promises';
import type { Db } from '../../db/client.ts';
import { UsageError } from './usage-error.ts';

/** Names that are ours to write: MAC addresses and integration keys. All other lines of the file are the operator's. */
const OURS = /^(?:[0-9A-F]{12}|[0-9A-F]{16}|int-[0-9a-f]{8}):/;

interface BrokerUser {
  name: string;
  /** Null for keys that were made before they were kept in the broker's form. */
  hash: string | null;
}

/**
 * Brings Mosquitto's password file in step with the keys of gateways and network servers, and makes Mosquitto read it.
 * Does nothing when nothing changed, so that a timer may call it.
 */
export async function writeBrokerUsers(db: Db, path: string, pidFile?: string): Promise<string> {
  const users = await readUsers(db);
  const before = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new UsageError(`${path} can't be read: ${error.code}.`);
  });
  const kept = before.split('\n').filter((line) => line !== '' && !OURS.test(line));
  const own = linesOf(users);
  const after = [...kept, ...own].map((line) => `${line}\n`).join('');
  const lines = [`${own.length} devices and network servers may sign in.`, ...withoutHash(users)];
  if (after === before) return ['Nothing has changed.', ...lines].join('\n');
  await replaceFile(path, after);
  return [`${path} written.`, ...lines, await reload(pidFile)].join('\n');
}

/** Only our own lines of the file, for those who put it together elsewhere. */
export async function brokerUserLines(db: Db): Promise<string> {
  return linesOf(await readUsers(db)).join('\n');
}

const linesOf = (users: readonly BrokerUser[]) =>
  users.flatMap(({ name, hash }) => (hash === null ? [] : [`${name}:${hash}`]));

async function readUsers(db: Db): Promise<BrokerUser[]> {
  const gateways = await db
    .selectFrom('gateway_key as k')
    .innerJoin('device as d', (join) =>
      join
        .onRef('d.farm_id', '=', 'k.farm_id')
        .onRef('d.id', '=', 'k.device_id')
        .onRef('d.mac', '=', 'k.mac'),
    )
    .innerJoin('farm as f', 'f.id', 'k.farm_id')
    .select(['k.mac as name', 'k.broker_hash as hash'])
    .where('d.deleted_at', 'is', null)
    .where('f.deleted_at', 'is', null)
    .orderBy('k.mac')
    .execute();
  const networkServers = await db
    .selectFrom('integration_key as k')
    .innerJoin('farm as f', 'f.id', 'k.farm_id')
    .select(['k.user_name as name', 'k.broker_hash as hash'])
    .where('k.deleted_at', 'is', null)
    .where('f.deleted_at', 'is', null)
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

/** Mosquitto reads the file again on SIGHUP, and ends the connections of those who may no longer sign in. */
async function reload(pidFile: string | undefined): Promise<string> {
  if (pidFile === undefined) return 'Now make Mosquitto read it: systemctl reload mosquitto.';
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).trim());
  if (!Number.isInteger(pid) || pid < 2) throw new UsageError(`${pidFile} holds no process id.`);
  try {
    process.kill(pid, 'SIGHUP');
  } catch (error) {
    throw new UsageError(
      `Mosquitto (process ${pid}) can't be told: ${(error as NodeJS.ErrnoException).code}.`,
    );
  }
  return 'Mosquitto reads it.';
}
