import { type RawBuilder, sql } from 'kysely';
import type { SetFigures } from '@headrace/contract/schedule-sets';
import type { ScheduleFinding } from '@headrace/contract/schedules';
import type { Db } from '../../db/client.ts';
import type { KeptDesign } from '../../db/schema/commands.ts';
import { commandIsLive } from '../../db/under-way.ts';
import type { FarmUnit } from './new-set.ts';
import { isListed } from './schedule-sets.ts';

/** A set as a record, with who made it of what. */
export interface SetRow {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly cycleMinutes: number | null;
  readonly createdAt: Date;
  readonly createdBy: string | null;
  readonly isByHand: boolean;
  readonly design: KeptDesign | null;
  readonly figures: SetFigures | null;
  readonly findings: ScheduleFinding[];
  readonly templateVersion: number | null;
  /** Of the template as it is now; null: it wasn't made from one, or that is gone for good. */
  readonly templateUid: string | null;
  readonly templateName: string | null;
  readonly templateNow: number | null;
  readonly isTemplateDeleted: boolean;
  readonly replacedBy: string | null;
  readonly deletedAt: Date | null;
}

/** A group that a set has sprinklers of. */
export interface SetGroupRow {
  readonly setId: number;
  readonly groupUid: string;
  readonly groupName: string;
  /** Of sets from before groups were kept; else ''. */
  readonly scheduleGroup: string;
}

/** Every query stays on the farm; those that write want the transaction. */
export function createSetsRepo(db: Db) {
  const rows = (from: Db, farmId: number) =>
    from
      .selectFrom('schedule_set')
      .leftJoin('account as a', 'a.id', 'schedule_set.created_by')
      .leftJoin('schedule_template as t', (join) =>
        join.onRef('t.farm_id', '=', 'schedule_set.farm_id').onRef('t.id', '=', 'schedule_set.template_id'),
      )
      .select([
        'schedule_set.id',
        'schedule_set.uid',
        'schedule_set.name',
        sql<number | null>`(schedule_set.settings->>'cycleLen')::float8`.as('cycleMinutes'),
        'schedule_set.created_at as createdAt',
        'a.name as createdBy',
        'schedule_set.is_by_hand as isByHand',
        'schedule_set.design',
        'schedule_set.figures',
        'schedule_set.findings',
        'schedule_set.template_version as templateVersion',
        't.uid as templateUid',
        't.name as templateName',
        't.version as templateNow',
        sql<boolean>`t.deleted_at is not null`.as('isTemplateDeleted'),
        newestAfter.as('replacedBy'),
        'schedule_set.deleted_at as deletedAt',
      ])
      .where('schedule_set.farm_id', '=', farmId);

  return {
    /** The newest first. */
    list: (farmId: number, from: Db = db): Promise<SetRow[]> =>
      rows(from, farmId)
        .where('schedule_set.deleted_at', 'is', null)
        .where(isListed)
        .orderBy('schedule_set.created_at', 'desc')
        .orderBy('schedule_set.id', 'desc')
        .execute(),

    /** A deleted one too. */
    known: (from: Db, farmId: number, uid: string): Promise<SetRow | undefined> =>
      rows(from, farmId).where('schedule_set.uid', '=', uid).executeTakeFirst(),

    readKnown: (farmId: number, uid: string): Promise<SetRow | undefined> =>
      rows(db, farmId).where('schedule_set.uid', '=', uid).executeTakeFirst(),

    /** The one that nobody may send or delete until this transaction ends. */
    async lock(trx: Db, farmId: number, id: number): Promise<void> {
      await trx
        .selectFrom('schedule_set')
        .select('id')
        .where('farm_id', '=', farmId)
        .where('id', '=', id)
        .forUpdate()
        .execute();
    },

    /** Of a template, deleted ones too. */
    async newestOf(trx: Db, farmId: number, templateId: number): Promise<number | null> {
      const row = await trx
        .selectFrom('schedule_set')
        .select('id')
        .where('farm_id', '=', farmId)
        .where('template_id', '=', templateId)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.id ?? null;
    },

    groups: (farmId: number, setIds: readonly number[]): Promise<SetGroupRow[]> =>
      setIds.length === 0
        ? Promise.resolve([])
        : db
            .selectFrom('schedule_set_unit')
            .select([
              'set_id as setId',
              'group_uid as groupUid',
              'group_name as groupName',
              sql<string>`case when group_uid = '' then schedule_group else '' end`.as('scheduleGroup'),
            ])
            .distinct()
            .where('farm_id', '=', farmId)
            .where('set_id', 'in', [...setIds])
            .execute(),

    /** All sprinklers of the farm, spares and those out of service too. */
    sprinklers: (farmId: number): Promise<FarmUnit[]> =>
      db
        .selectFrom('device')
        .select(['id as deviceId', 'uid', 'name', 'serial_number as serialNumber'])
        .where('farm_id', '=', farmId)
        .where('kind', '=', 'sprinkler')
        .where('deleted_at', 'is', null)
        .execute(),

    /** What sets had that can't be restored any more, and what replaced ones had beyond those that are kept whole. Their names stay. */
    async forget(before: Date): Promise<void> {
      await sql`delete from schedule_set_unit u using schedule_set s
        where s.farm_id = u.farm_id and s.id = u.set_id and s.deleted_at < ${before}`.execute(db);
      await sql`delete from schedule_set_unit u using (${replacedBeyond}) s where s.farm_id = u.farm_id and s.id = u.set_id`.execute(
        db,
      );
    },
  };
}
export type SetsRepo = ReturnType<typeof createSetsRepo>;

const newestAfter = sql<string | null>`(select n.uid from schedule_set n
  where n.farm_id = schedule_set.farm_id and n.replaces = schedule_set.id limit 1)`;

/** Replaced sets of a farm that are kept whole; older ones only where they are in use. */
const REPLACED_KEPT = 100;
const replacedBeyond: RawBuilder<unknown> = sql`select r.farm_id, r.id from (
    select s.farm_id, s.id, row_number() over (partition by s.farm_id order by s.id desc) as place
    from schedule_set s where s.deleted_at is null
      and exists (select from schedule_set n where n.farm_id = s.farm_id and n.replaces = s.id)) r
  join farm f on f.id = r.farm_id
  where r.place > ${REPLACED_KEPT} and f.current_set_id is distinct from r.id
    and not exists (select from unit_program p where p.farm_id = r.farm_id and p.set_id = r.id)
    and not exists (select from command c where c.farm_id = r.farm_id and ${sql.raw(commandIsLive('c'))})`;
