import { commandName, commandTitles, type CommandType } from '@headrace/contract/command-types';
import type { Behind } from '@headrace/contract/commands';
import { windowOf } from '@headrace/contract/rules/radio-pace';
import { isUnderWay } from '@headrace/contract/rules/under-way';
import { commandTypes } from '@headrace/device/commands';
import { lanes } from '@headrace/device/lanes';
import type { Db } from '../../db/client.ts';
import { numberArray } from '../../db/sql-arrays.ts';
import { type SqlClient, sqlClient } from '../../db/sql-client.ts';
import { commandIsLive, unitIsLive } from '../../db/under-way.ts';
import { groupBy } from '../../group-by.ts';
import type { GatewayKey } from './answers.ts';
import { doneOf, totalOf, type UnitCounts } from './command-life.ts';
import { unitCounts } from './command-writer.ts';
import { readPace } from './gateway-pace.ts';
import type { CommandRow } from './read-commands.ts';

/** The others are counted. */
const NAMED = 3;

/** Units of a command that wait, at one gateway, for another command. */
interface Waiting extends GatewayKey {
  readonly commandId: number;
  readonly otherId: number;
  readonly units: number;
  /** Of the command, whether they wait or not. */
  readonly of: number;
  /** They are free, and stand in line with other sends to many; null: their units have the other one to do first. */
  readonly line: Line | null;
}

/** Units of sends to many that a gateway has now, and that it gets before those of a command. */
interface Line {
  readonly out: number;
  readonly before: number;
}

const unitsOf = (part: string) =>
  `(select count(*)::int from command_unit a where a.farm_id = ${part}.farm_id and a.command_id = ${part}.command_id)`;

/** A command of a unit's, its lane, and whether it waits and holds others up, as one number: of thousands these are quicker to compare. */
const standing = `u.command_id::bigint * 16 + u.lane * 4 + case when u.state = 'queued' and u.cmd_id is null then 2 else 0 end
  + case when u.state = 'queued' or u.at > $3::timestamptz - interval '10 minutes' then 1 else 0 end`;
const ofStanding = (s: string) =>
  `select (${s} / 16)::int as command_id, (${s} / 4 % 4)::int as lane, ${s} / 2 % 2 = 1 as is_waiting, ${s} % 2 = 1 as is_holding`;

/**
 * `t` has of units under way that stand alike in all of their commands (`n` of them) each command with those that it has to do first where it
 * waits, as `isFree` of `waiting-units.ts` has it: earlier ones, and those of a lower lane. Of thousands most stand alike, so few are compared. Of
 * sends to many the others go out in the order of the commands: `line` has of each, by gateway, how many are out and how many are next. Read
 * are only farms with several commands under way.
 */
const waitingText = `with l as materialized (select c.farm_id, c.id from command c
    where c.farm_id = any($1::int[]) and ${commandIsLive('c')} and c.type <> ${commandTypes.Ping}),
  d as materialized (select farm_id, gateway_id, standings, count(*)::int as n from (
      select u.farm_id, u.gateway_id, u.device_id, array_agg(${standing} order by u.command_id) as standings from command_unit u
      where u.farm_id = any(array(select farm_id from l group by farm_id having count(*) > 1))
        and u.command_id = any(array(select id from l)) and ${unitIsLive('u')} group by 1, 2, 3) v
    group by 1, 2, 3),
  t as materialized (select d.farm_id, d.gateway_id, d.n, w.*, array(
      select x.command_id from unnest(d.standings) as y (s) cross join lateral (${ofStanding('y.s')}) x
      where w.is_waiting and w.lane <> ${lanes.stop} and x.command_id <> w.command_id
        and (x.lane = w.lane and x.command_id < w.command_id or x.lane < w.lane and x.is_holding)) as others
    from d cross join lateral unnest(d.standings) as y (s) cross join lateral (${ofStanding('y.s')}) w),
  line as materialized (select t.farm_id, t.gateway_id, t.command_id,
      coalesce(sum(t.n) filter (where not t.is_waiting), 0)::int as out,
      coalesce(sum(t.n) filter (where t.is_waiting and t.others = '{}'), 0)::int as next
    from t where t.lane = ${lanes.many} group by 1, 2, 3)
  select t.farm_id as "farmId", t.gateway_id as "gatewayId", t.command_id as "commandId", o.id as "otherId",
    sum(t.n)::int as units, ${unitsOf('t')} as of, null::json as line
  from t cross join lateral unnest(t.others) as o (id) where t.command_id = any($2::int[]) group by 1, 2, 3, 4
  union all
  select m.farm_id, m.gateway_id, m.command_id, o.command_id, m.next, ${unitsOf('m')}, json_build_object(
    'out', (select sum(a.out) from line a where a.farm_id = m.farm_id and a.gateway_id = m.gateway_id),
    'before', (select sum(a.next) from line a
      where a.farm_id = m.farm_id and a.gateway_id = m.gateway_id and a.command_id < m.command_id))
  from line m join line o on o.farm_id = m.farm_id and o.gateway_id = m.gateway_id and o.command_id < m.command_id
  where m.command_id = any($2::int[]) and m.next > 0 and (o.next > 0 or m.out = 0)`;

type Row = Pick<CommandRow, 'farmId' | 'id' | 'state' | 'counts'> & { readonly type: number };

/** For which other commands those of these wait that do, by id. What waits for the gateway alone waits for none. */
export async function readBehind(
  db: Db,
  rows: readonly Row[],
  now: Date,
): Promise<ReadonlyMap<number, Behind>> {
  const asked = rows.filter((row) => isUnderWay(row) && row.counts.queued && row.type !== commandTypes.Ping);
  if (asked.length === 0) return new Map();
  const client = sqlClient(db);
  const all = await readWaiting(client, asked, now);
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

/** Also those that go out at once. */
export async function readWaiting(
  client: SqlClient,
  asked: readonly Pick<Row, 'farmId' | 'id'>[],
  now: Date,
): Promise<readonly Waiting[]> {
  const farms = numberArray(asked.map(({ farmId }) => farmId));
  const ids = numberArray(asked.map(({ id }) => id));
  return (await client.query<Waiting>({ text: waitingText, values: [farms, ids, now] })).rows;
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
    failed: counts.failed ?? 0,
    units,
  };
}
