import { commandName, commandTitles, type CommandType } from '@headrace/contract/command-types';
import type { Behind } from '@headrace/contract/commands';
import { windowOf } from '@headrace/contract/rules/radio-pace';
import { isUnderWay } from '@headrace/contract/rules/under-way';
import { commandTypes } from '@headrace/device/commands';
import type { Db } from '../../db/client.ts';
import { numberArray } from '../../db/sql-arrays.ts';
import { type SqlClient, sqlClient } from '../../db/sql-client.ts';
import { groupBy } from '../../group-by.ts';
import { doneOf, hadItOf, totalOf, type UnitCounts } from './command-life.ts';
import { unitCounts } from './command-writer.ts';
import { readPace } from './gateway-pace.ts';
import type { CommandRow } from './read-commands.ts';
import { type Line, readWaiting, type Waiting } from './waiting-for-others.ts';

/** The others are counted. */
const NAMED = 3;

export type BehindRow = Pick<CommandRow, 'farmId' | 'id' | 'state' | 'counts'> & { readonly type: number };

/** Of commands, by id. */
export type Behinds = ReadonlyMap<number, Behind>;

/** What waits for the gateway alone waits for no other command. */
export const mayWait = (row: BehindRow) =>
  isUnderWay(row) && (row.counts.queued ?? 0) > 0 && row.type !== commandTypes.Ping;

/** For which other commands those of these wait that do. */
export async function readBehind(db: Db, rows: readonly BehindRow[], now: Date): Promise<Behinds> {
  const asked = rows.filter(mayWait);
  if (asked.length === 0) return new Map();
  const farms = asked.map(({ farmId }) => farmId);
  const ids = asked.map(({ id }) => id);
  return toBehinds(db, await readWaiting(sqlClient(db), farms, ids, now));
}

/** The same of all commands that are under way on a farm. */
export const readBehindsOf = async (db: Db, farmId: number, now: Date): Promise<Behinds> =>
  toBehinds(db, await readWaiting(sqlClient(db), [farmId], null, now));

async function toBehinds(db: Db, all: readonly Waiting[]): Promise<Behinds> {
  const client = sqlClient(db);
  const waiting = await onlyInLine(client, all);
  const others = await readOthers(client, waiting);
  return new Map(
    groupBy(waiting, ({ commandId }) => commandId).map((ofOne) => [
      ofOne[0]?.commandId ?? 0,
      behindOf(ofOne, others),
    ]),
  );
}

/** What a command waits for now, which was sent a moment ago; null: for no other one. */
export async function readBehindOf(db: Db, farmId: number, uid: string, now: Date): Promise<Behind | null> {
  const row = await db
    .selectFrom('command')
    .select(['id', 'farm_id as farmId', 'type', 'state'])
    .where('farm_id', '=', farmId)
    .where('uid', '=', uid)
    .executeTakeFirst();
  if (!row) return null;
  return (await readBehind(db, [{ ...row, counts: { queued: 1 } }], now)).get(row.id) ?? null;
}

/** Without those that the gateway has room for: they go out at once. */
async function onlyInLine(client: SqlClient, all: readonly Waiting[]): Promise<readonly Waiting[]> {
  const windows = new Map<number, number>();
  for (const one of all)
    if (one.line && !windows.has(one.gatewayId))
      windows.set(one.gatewayId, windowOf(await readPace(client, one)));
  return all.filter(({ line, gatewayId }) => !line || !hasRoom(line, windows.get(gatewayId) ?? 0));
}

/** As a gateway's window is filled, once half of it is free. */
const hasRoom = ({ out, before }: Line, window: number) =>
  out <= window / 2 && before < Math.floor(window - out);

interface OtherRow {
  readonly id: number;
  readonly uid: string;
  readonly type: CommandType;
  readonly name: string;
  readonly sentBy: string;
  readonly isAutomatic: boolean;
  readonly counts: UnitCounts;
  readonly heldBack: number;
}

const othersText = `select c.id, c.uid, c.type, c.name, coalesce(a.name, '') as "sentBy",
    c.payload ? 'automatic' as "isAutomatic", n.counts, n."heldBack"
  from command c left join account a on a.id = c.account_id cross join ${unitCounts}
  where c.farm_id = any($1::int[]) and c.id = any($2::int[])`;

async function readOthers(
  client: SqlClient,
  waiting: readonly Waiting[],
): Promise<ReadonlyMap<number, OtherRow>> {
  if (waiting.length === 0) return new Map();
  const farms = numberArray(waiting.map(({ farmId }) => farmId));
  const ids = numberArray(waiting.map(({ otherId }) => otherId));
  const { rows } = await client.query<OtherRow>({ text: othersText, values: [farms, ids] });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Those that most of its units wait for come first. */
function behindOf(waiting: readonly Waiting[], others: ReadonlyMap<number, OtherRow>): Behind {
  const all = groupBy(waiting, ({ otherId }) => otherId)
    .map((ofOne) => ({ other: others.get(ofOne[0]?.otherId ?? 0), units: sumOf(ofOne) }))
    .toSorted((one, two) => two.units - one.units);
  const commands = all.slice(0, NAMED).flatMap(({ other, units }) => (other ? [toOther(other, units)] : []));
  return { commands, more: all.length - commands.length, of: waiting[0]?.of ?? 0 };
}

const sumOf = (waiting: readonly Waiting[]) => waiting.reduce((sum, { units }) => sum + units, 0);

function toOther({ uid, type, counts, heldBack, ...row }: OtherRow, units: number) {
  const known = commandName(type);
  return {
    _id: uid,
    title: known ? commandTitles[known] : String(type),
    name: row.name,
    sentBy: row.sentBy,
    isAutomatic: row.isAutomatic,
    total: totalOf(counts),
    done: doneOf(counts) - heldBack,
    hadIt: hadItOf(counts, heldBack),
    leftOut: heldBack,
    failed: counts.failed ?? 0,
    units,
  };
}
