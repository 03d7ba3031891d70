import type { ApiKey } from '@headrace/contract/api';
import type { Db } from '../../../../db/client.ts';
import { issueKey } from '../../../accounts/account-keys.ts';
import { BackupError } from '../backup-format.ts';
import type { BackupList, ListedFarm } from './backup-list.ts';

/** The services over a restored database; nothing that they do leaves it. */
export interface RestoredServer {
  readonly db: Db;
  /** The reply as JSON. Throws for anything but a success. */
  call(key: ApiKey, options: RestoredCall): Promise<unknown>;
  close(): Promise<void>;
}

export interface RestoredCall {
  readonly query?: Record<string, string>;
  readonly body?: object;
  readonly token?: string;
}

/** The largest farms stand for all: each takes a few calls. */
const FARMS_MAX = 20;
const YEAR_MS = 365 * 86_400_000;
const DAY_MS = 86_400_000;

const sizeOf = ({ devices }: ListedFarm) => Object.values(devices).reduce((sum, count) => sum + count, 0);

/**
 * Asks the services of a restored server what people ask them, and compares with what the backup says itself. A line for each answer.
 *
 * @throws BackupError for the first answer that isn't right
 */
export async function askServices(server: RestoredServer, list: BackupList, now: Date): Promise<string[]> {
  const lines: string[] = [];
  const farms = list.farms.toSorted((one, other) => sizeOf(other) - sizeOf(one)).slice(0, FARMS_MAX);
  const owners = [...new Set(farms.map(({ ownerId }) => ownerId))].filter((id) => list.mayEnter.has(id));
  if (owners.length === 0) return ['No farm has an owner who may sign in: its services were not asked.'];
  for (const ownerId of owners) {
    const own = list.farms.filter((farm) => farm.ownerId === ownerId);
    const token = await signIn(server, ownerId, now);
    await checkFarms(server, own, token);
    lines.push(
      `the owner of ${own[0]?.name} signs in and has ${own.length === 1 ? 'that farm' : `${own.length} farms`}`,
    );
    for (const farm of farms.filter((one) => one.ownerId === ownerId)) {
      lines.push(await checkDevices(server, farm, token));
      lines.push(...(await checkReadings(server, farm, token)));
    }
  }
  return lines;
}

async function signIn(server: RestoredServer, ownerId: string, now: Date): Promise<string> {
  const account = await server.db
    .selectFrom('account')
    .select(['id', 'email'])
    .where('id', '=', Number(ownerId))
    .executeTakeFirst();
  if (!account) throw new BackupError('An owner of a farm is not there after the restore.');
  const key = await issueKey(server.db, account, 'passwordless', now);
  const reply = (await server.call('POST /account/auth/passwordless', { body: { key } })) as {
    data?: { token?: string };
  };
  if (!reply.data?.token) throw new BackupError("An owner of a farm can't sign in after the restore.");
  return reply.data.token;
}

async function checkFarms(server: RestoredServer, own: readonly ListedFarm[], token: string): Promise<void> {
  const cards = (await server.call('GET /farms-card', { token })) as { name: string }[];
  const missing = own.find(({ name }) => !cards.some((card) => card.name === name));
  if (missing) throw new BackupError(`The owner of ${missing.name} doesn't see it after the restore.`);
}

async function checkDevices(server: RestoredServer, farm: ListedFarm, token: string): Promise<string> {
  const found = (await server.call('GET /farm/contents', { token, query: { farmUID: farm.uid } })) as Record<
    string,
    number
  >;
  const counts = Object.entries(farm.devices);
  for (const [kind, count] of counts) {
    if (found[`${kind}s`] !== count)
      throw new BackupError(
        `${farm.name} has ${found[`${kind}s`]} of kind ${kind} after the restore, and ${count} in the backup.`,
      );
  }
  const words = counts.flatMap(([kind, count]) =>
    count === 0 ? [] : `${count} ${kind}${count === 1 ? '' : 's'}`,
  );
  return `${farm.name} has its ${words.join(', ') || 'name, and no devices'}`;
}

async function checkReadings(server: RestoredServer, farm: ListedFarm, token: string): Promise<string[]> {
  const { sensor } = farm;
  if (!sensor) return [];
  const { series } = (await server.call('GET /series/list', {
    token,
    query: { deviceId: sensor.uid },
  })) as { series: { metric: string; time: string; value: number | null }[] };
  const known = new Set(sensor.times.map((time) => time.getTime()));
  if (series.length === 0 || !series.every(({ time }) => known.has(Date.parse(time))))
    throw new BackupError(`The newest readings of a sensor of ${farm.name} are not those of the backup.`);
  const lines = [`${farm.name}: a sensor has its newest readings`];
  const drawn = series.find(({ value }) => value !== null);
  if (!drawn) return lines;
  const day = (ms: number) => new Date(Date.parse(drawn.time) + ms).toISOString().slice(0, 10);
  const { points } = (await server.call('GET /series', {
    token,
    query: { deviceId: sensor.uid, metric: drawn.metric, startDate: day(-YEAR_MS), endDate: day(DAY_MS) },
  })) as { points: unknown[] };
  if (points.length === 0)
    throw new BackupError(`A year of a sensor of ${farm.name} has nothing in it after the restore.`);
  return [...lines, `${farm.name}: its chart of a year has ${points.length} days`];
}
