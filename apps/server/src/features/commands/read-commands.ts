import { type Expression, type SqlBool, sql } from 'kysely';
import type { CommandState, CommandType, UnitState } from '@headrace/contract/command-types';
import type { Behind } from '@headrace/contract/commands';
import type { Db } from '../../db/client.ts';
import type { UnitCounts } from './command-life.ts';
import { unitCounts } from './command-writer.ts';
import type { FinishByGateway } from './finish.ts';
import type { BehindsOf } from './kept-behinds.ts';

/** A command with how many of its units stand how. */
export interface CommandRow {
  farmId: number;
  farmUid: string;
  id: number;
  uid: string;
  accountId: number | null;
  type: CommandType;
  name: string;
  serialNumber: string;
  groupUid: string | null;
  sentBy: string;
  cancelledBy: string;
  isAutomatic: boolean;
  createdAt: Date;
  expiresAt: Date;
  state: CommandState;
  stateAt: Date;
  maxOpenMinutes: number | null;
  hideNotification: boolean;
  resultMessage: string | null;
  progressDone: number | null;
  progressTotal: number | null;
  finish: FinishByGateway;
  firstFinish: FinishByGateway | null;
  counts: UnitCounts;
  /** How many units were left out… */
  heldBack: number;
  /** …of these since they had not been heard for long. */
  unheard: number;
  /** How many were cancelled that a gateway may have. */
  cancelledLate: number;
  /** How many get their schedule once they are heard. */
  waiting: number;
  /** Other commands that its units wait for; null: for none. */
  behind: Behind | null;
  /** Of its only unit; empty when there are several. */
  note: string;
}

export interface UnitRow {
  uid: string;
  name: string;
  serialNumber: string;
  state: UnitState;
  at: Date;
  note: string;
  isLeftOut: boolean;
  waitsUntil: Date | null;
  openedAt: Date | null;
  closesBy: Date | null;
  closedAt: Date | null;
  closedWhy: string | null;
}

/** Those that it says of all farms, the newest first. Who waits to be heard is counted for all of them at once. */
export async function readCommands(
  db: Db,
  where: Expression<SqlBool>,
  limit: number,
  behindsOf: BehindsOf,
): Promise<CommandRow[]> {
  const { rows } = await sql<Omit<CommandRow, 'behind'>>`
    with r as materialized (select c.farm_id as "farmId", f.uid as "farmUid", c.id, c.uid, c.account_id as "accountId", c.type, c.name,
      c.serial_number as "serialNumber", nullif(c.payload->>'groupUID', 'FARM') as "groupUid", coalesce(a.name, '') as "sentBy",
      coalesce(b.name, '') as "cancelledBy",
      c.payload ? 'automatic' as "isAutomatic", c.created_at as "createdAt",
      c.expires_at as "expiresAt", c.state, c.state_at as "stateAt", c.max_open_minutes as "maxOpenMinutes",
      c.hide_notification as "hideNotification", c.result_message as "resultMessage",
      c.progress_done as "progressDone", c.progress_total as "progressTotal",
      c.finish, c.first_finish as "firstFinish",
      n.counts, n."heldBack", n.unheard, n."cancelledLate",
      case when n.total = 1 then (select u.note from command_unit u where u.farm_id = c.farm_id and u.command_id = c.id)
        else '' end as note
    from command c join farm f on f.id = c.farm_id left join account a on a.id = c.account_id left join account b on b.id = c.cancelled_by_id
    cross join ${sql.raw(unitCounts)}
    where ${where} order by c.id desc limit ${limit})
    select r.*, coalesce(w.count, 0) as waiting from r left join (
      select p.farm_id, p.command_id, count(*)::int as count from unit_program p
      where p.catch_up_until is not null and p.farm_id = any(array(select distinct "farmId" from r)) group by p.farm_id, p.command_id
    ) w on w.farm_id = r."farmId" and w.command_id = r.id order by r.id desc`.execute(db);
  const behind = await behindsOf(rows);
  return rows.map((row) => ({ ...row, behind: behind.get(row.id) ?? null }));
}

/** Parts of commands, one a device. */
export const unitRows = (db: Db) =>
  db
    .selectFrom('command_unit as u')
    .innerJoin('device as d', (join) =>
      join.onRef('d.farm_id', '=', 'u.farm_id').onRef('d.id', '=', 'u.device_id'),
    )
    .leftJoin('unit_program as p', (join) =>
      join
        .onRef('p.farm_id', '=', 'u.farm_id')
        .onRef('p.device_id', '=', 'u.device_id')
        .onRef('p.command_id', '=', 'u.command_id'),
    )
    .select([
      'd.uid',
      'd.name',
      'd.serial_number as serialNumber',
      'u.state',
      'u.at',
      'u.note',
      'u.held_back as isLeftOut',
      'p.catch_up_until as waitsUntil',
      'u.opened_at as openedAt',
      'u.closes_by as closesBy',
      'u.closed_at as closedAt',
      'u.closed_why as closedWhy',
    ]);
