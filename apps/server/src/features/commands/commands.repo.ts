import { type SqlBool, sql } from 'kysely';
import { type CommandState, type CommandType, unitTypes } from '@headrace/contract/command-types';
import { UNSEEN_DAYS } from '@headrace/contract/limits';
import { schedulesTypes } from '@headrace/contract/schedules-types';
import { commandTypes } from '@headrace/device/commands';
import { isInhibit, isValveOff, laneOf, lanes } from '@headrace/device/lanes';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { Db } from '../../db/client.ts';
import { type SqlClient, sqlClient } from '../../db/sql-client.ts';
import { commandIsLive } from '../../db/under-way.ts';
import type { CommandKey } from './answers.ts';
import { readBehindOf } from './behind.ts';
import { readPerMinute } from './command-pace.ts';
import type { CommandProgress } from './command-writer.ts';
import type { FinishByGateway } from './finish.ts';
import { waitToBeHeard } from '../programmes/catch-up-writer.ts';
import { liftStops, lockStops, stopAgain, stopUnits } from '../programmes/stop-writer.ts';
import { offsUntil } from './off-life.ts';
import { mayBeReleased } from './released.ts';
import { insertUnits } from './insert-units.ts';
import { noteJoined } from './joined-polls.ts';
import { isPoll } from './polls.ts';
import { type Newcomer, supersede } from './superseded.ts';
import { readChanged, readLetWater } from './changed-by-send.ts';
import { readNotDone } from './not-done.ts';
import { createDeviceCommands } from './device-commands.ts';
import { createBehinds } from './kept-behinds.ts';
import { type CommandRow, readCommands, type UnitRow, unitRows } from './read-commands.ts';
import { lockReplaces, readSwapAsked, refuseSecondReplace } from './one-replace.ts';
import { undoneIf, undoStopsOf } from './undo-stops.ts';
import { readUnitsUnderWay } from './units-under-way.ts';
import { createUnseenCommands } from './unseen-commands.ts';
import { type SentSchedules, wantSent } from './wanted-by-send.ts';

export interface NewCommand {
  farmId: number;
  uid: string;
  /** Null: sent by the server of its own accord. */
  accountId: number | null;
  type: CommandType;
  name: string;
  serialNumber: string;
  payload: Record<string, unknown>;
  maxOpenMinutes: number | null;
  hideNotification: boolean;
  resultMessage: string | null;
  createdAt: Date;
  expiresAt: Date;
  /** Named by who sends it: the same again is the same command. */
  requestId?: string | undefined;
  firstFinish?: FinishByGateway;
  /** What its log begins with. */
  note?: string | undefined;
}

export interface NewUnit {
  deviceId: number;
  gatewayId: number;
  entries?: readonly ScheduleEntry[];
  crc?: string;
  /** The line of its group that it waters in. */
  scheduleGroup?: string;
  /** When the command does, unless said. */
  expiresAt?: Date;
  /** Of a stop: when it goes once more. */
  againAt?: Date | undefined;
  /** Spare or out of service. */
  isShelved?: boolean;
  /** The same, and holds no schedule as far as anybody knows: it may not even have power. */
  isOnShelf?: boolean;
  /** Not heard for long: it is left out, and gets its schedule once it is heard. */
  isUnheard?: boolean;
}

/** What is kept with a command, in its transaction. */
export interface AddedWith {
  readonly schedules?: SentSchedules | undefined;
  readonly within?: Within | undefined;
}
export type Within = (trx: Db, key: CommandKey) => Promise<void>;

export interface Added {
  id: number;
  /** Older commands that it put an end to, and itself. */
  changed: readonly CommandProgress[];
  /** It put an end to what was to let units water: they must not, as before that. */
  isStoppedAgain: boolean;
}

export interface StepRow {
  at: Date;
  state: string;
  /** Of the unit; null: of the command as a whole. */
  name: string | null;
  note: string;
  /** How many the command has. */
  count: number;
}

/** Newest first, from the one before `before` on; `about` schedules alone, those for several sprinklers that are under way, or all. */
export interface CommandPage {
  readonly limit: number;
  readonly before: string | undefined;
  readonly about: 'schedules' | 'underWay' | undefined;
}

const manyUnderWay = sql<SqlBool>`${sql.raw(commandIsLive('c'))} and n.total > 1
  and c.type = any(${[...unitTypes]}::int[])`;

export function createCommandsRepo(db: Db, now: () => Date) {
  const behinds = createBehinds(db, now);
  return {
    ...createDeviceCommands(db, behinds.lately),
    ...createUnseenCommands(db),
    unitsUnderWay: (farmId: number) => readUnitsUnderWay(db, farmId),

    /**
     * The command with its units, queued, in one transaction with the end of what it puts out of date; of schedules with what
     * the units are to water by from now on, and with who must not water or may again.
     */
    add(
      command: NewCommand,
      asked: readonly NewUnit[],
      by: Newcomer,
      { schedules, within }: AddedWith,
    ): Promise<Added> {
      return db.transaction().execute(async (trx) => {
        const client = sqlClient(trx);
        if (command.type === commandTypes.Replace) await onlyReplace(trx, command, asked);
        if (changesStops(by)) await lockStops(client, command.farmId);
        const { units, newcomer } = await mayBeReleased(client, asked, by);
        const { changed, isStoppedAgain, againAt, openUntil } = await supersede(client, newcomer, units);
        const until = isValveOff(command.type)
          ? await offsUntil(client, newcomer, openUntil)
          : new Map<number, Date>();
        const withTimes = (unit: NewUnit): NewUnit => ({
          ...unit,
          expiresAt: latest([command.expiresAt, until.get(unit.deviceId) ?? command.expiresAt]),
          againAt: againAt.get(unit.deviceId),
        });
        const id = await insertCommand(
          trx,
          { ...command, expiresAt: latest([command.expiresAt, ...until.values()]) },
          until.size === 0 && againAt.size === 0 ? units : units.map(withTimes),
        );
        const key = { farmId: command.farmId, commandId: id };
        if (isPoll(command.type)) await noteJoined(client, key);
        await writeStops(client, id, newcomer, command.accountId);
        if (schedules) await wantSent(client, key, schedules, { units, at: command.createdAt });
        const unheard = units.filter(({ isUnheard }) => isUnheard);
        await waitToBeHeard(
          client,
          unheard.map(({ deviceId }) => ({ ...key, deviceId })),
          command.createdAt,
        );
        await within?.(trx, key);
        return { id, changed: [...changed, { ...key, isFinished: false }], isStoppedAgain };
      });
    },

    /** What this person sent under this name already. */
    async byRequest(
      farmId: number,
      accountId: number,
      requestId: string,
    ): Promise<{ uid: string; state: CommandState } | undefined> {
      return db
        .selectFrom('command')
        .select(['uid', 'state'])
        .where('farm_id', '=', farmId)
        .where('account_id', '=', accountId)
        .where('request_id', '=', requestId)
        .executeTakeFirst();
    },

    /** Newest first; Pings, which go before every other command, are left out. */
    async page(farmId: number, { limit, before, about }: CommandPage): Promise<CommandRow[]> {
      const types = about === 'schedules' ? [...schedulesTypes] : null;
      const older = before
        ? sql<SqlBool>`c.id < coalesce((select id from command where farm_id = ${farmId} and uid = ${before}), 0)`
        : sql<SqlBool>`true`;
      return readCommands(
        db,
        sql<SqlBool>`c.farm_id = ${farmId} and c.type <> ${commandTypes.Ping} and ${older}
          and (${types}::int[] is null or c.type = any(${types}::int[]))
          and ${about === 'underWay' ? manyUnderWay : sql`true`}`,
        limit,
        behinds.lately,
      );
    },

    async byUid(farmId: number, uid: string): Promise<CommandRow | undefined> {
      const where = sql<SqlBool>`c.farm_id = ${farmId} and c.uid = ${uid}`;
      return (await readCommands(db, where, 1, behinds.lately))[0];
    },

    behind: (farmId: number, uid: string) => readBehindOf(db, farmId, uid, now()),

    /** What they wait for as it is at once: open pages keep what they are told until the next news. */
    async byKeys(keys: readonly CommandKey[]): Promise<CommandRow[]> {
      if (keys.length === 0) return [];
      const ids = [...new Set(keys.map(({ commandId }) => commandId))];
      const farms = [...new Set(keys.map(({ farmId }) => farmId))];
      const where = sql<SqlBool>`c.farm_id = any(${farms}) and c.id = any(${ids})`;
      return readCommands(db, where, ids.length, behinds.atOnce);
    },

    farmUid: async (farmId: number): Promise<string | undefined> =>
      (await db.selectFrom('farm').select('uid').where('id', '=', farmId).executeTakeFirst())?.uid,

    swapAsked: (farmId: number, commandId: number) => readSwapAsked(db, farmId, commandId),
    notDone: (farmId: number, commandId: number) => readNotDone(db, farmId, commandId),
    changedBy: (farmId: number, commandId: number) => readChanged(db, farmId, commandId),
    letWaterBy: (farmId: number, commandId: number) => readLetWater(db, farmId, commandId),

    undoStops: (farmId: number, commandId: number, at: Date) => undoStopsOf(db, { farmId, commandId }, at),
    undoneIf: (farmId: number, commandId: number, at: Date) => undoneIf(db, { farmId, commandId }, at),

    perMinute: (farmId: number, commandId: number, now: Date) =>
      readPerMinute(db, { farmId, commandId }, now),

    /** Those that failed or ran out of time first, then as they stand in the command. */
    units(farmId: number, commandId: number, limit: number): Promise<UnitRow[]> {
      return unitRows(db)
        .where('u.farm_id', '=', farmId)
        .where('u.command_id', '=', commandId)
        .orderBy(sql`u.state not in ('failed', 'expired')`)
        .orderBy('u.position')
        .limit(limit)
        .execute();
    },

    /** In their order: those of the command itself, and the first `limit` of its units. */
    async steps(farmId: number, commandId: number, limit: number): Promise<StepRow[]> {
      const { rows } = await sql<StepRow>`select s.at, s.state, d.name, s.note, s.count from (
          select c.*, count(*) over ()::int as count,
            row_number() over (partition by c.device_id is null order by c.id) as place
          from command_step c where c.farm_id = ${farmId} and c.command_id = ${commandId}) s
        left join device d on d.farm_id = s.farm_id and d.id = s.device_id
        where s.place <= ${limit} order by s.id`.execute(db);
      return rows;
    },
  };
}

/** It was asked before too: another may have been added since. */
async function onlyReplace(
  trx: Db,
  { farmId, payload }: NewCommand,
  units: readonly NewUnit[],
): Promise<void> {
  await lockReplaces(trx, farmId);
  const places = await trx
    .selectFrom('device')
    .select('mac')
    .where('farm_id', '=', farmId)
    .where(
      'id',
      'in',
      units.map(({ deviceId }) => deviceId),
    )
    .execute();
  await refuseSecondReplace(trx, farmId, [String(payload['mac']), ...places.flatMap(({ mac }) => mac ?? [])]);
}

const inhibits = ({ name }: Newcomer) => isInhibit(commandTypes[name]);
const changesStops = (newcomer: Newcomer) => inhibits(newcomer) || newcomer.lifts.size > 0;

/** Who must not water from this command on, and who may again. */
async function writeStops(
  client: SqlClient,
  commandId: number,
  newcomer: Newcomer,
  accountId: number | null,
): Promise<void> {
  const { farmId, deviceIds, lifts, at, isHold = false, stopsAfter } = newcomer;
  const units = { farmId, commandId, deviceIds };
  const by = { at, accountId, isHold };
  if (stopsAfter !== undefined) await stopAgain(client, units, stopsAfter, by);
  else if (inhibits(newcomer)) await stopUnits(client, units, by);
  await liftStops(client, { farmId, commandId, deviceIds: [...lifts] });
}

/** Queued, with its units and its first step. Wants a transaction. */
export async function insertCommand(
  trx: Db,
  command: NewCommand,
  units: readonly NewUnit[],
): Promise<number> {
  const lane = laneOf(command.type, command.payload);
  const lifeMs = command.expiresAt.getTime() - command.createdAt.getTime();
  const { id } = await trx
    .insertInto('command')
    .values({
      farm_id: command.farmId,
      uid: command.uid,
      account_id: command.accountId,
      type: command.type,
      name: command.name,
      serial_number: command.serialNumber,
      payload: JSON.stringify(command.payload),
      max_open_minutes: command.maxOpenMinutes,
      hide_notification: command.hideNotification,
      result_message: command.resultMessage,
      created_at: command.createdAt,
      expires_at: command.expiresAt,
      state: 'queued',
      state_at: command.createdAt,
      request_id: command.requestId ?? null,
      open_by: lane === lanes.start ? fromNow(lifeMs) : null,
      ...(command.firstFinish && {
        first_finish: JSON.stringify(command.firstFinish),
        // Until its gateways come to it.
        finish: JSON.stringify(command.firstFinish),
      }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const key = { farm_id: command.farmId, command_id: id };
  await insertUnits(sqlClient(trx), { farmId: command.farmId, commandId: id }, { ...command, lane }, units);
  await trx
    .insertInto('command_step')
    .values({ ...key, at: command.createdAt, state: 'queued', device_id: null, note: command.note ?? '' })
    .execute();
  return id;
}

/** By the database's clock: a server's may be put back. */
const fromNow = (ms: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${ms / 1000})`;
const latest = (times: readonly Date[]) => new Date(Math.max(...times.map((time) => time.getTime())));

const PING_KEPT_DAYS = 7;
const COMMAND_KEPT_DAYS = 365;

/** Forgets Pings after a week and other commands after a year, with their units and steps; who saw one after a month. */
export async function forgetOldCommands(db: Db, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * 86_400_000);
  await sql`delete from command where created_at < ${before(COMMAND_KEPT_DAYS)}
    or (type = ${commandTypes.Ping} and created_at < ${before(PING_KEPT_DAYS)})`.execute(db);
  // By then what ended before is shown as unseen to nobody.
  await sql`delete from command_seen where at < ${before(UNSEEN_DAYS + 1)}`.execute(db);
}

export type CommandsRepo = ReturnType<typeof createCommandsRepo>;
