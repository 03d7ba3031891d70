import { type ExpressionBuilder, sql } from 'kysely';
import { compareNatural } from '@headrace/contract/rules/natural-order';
import { CYCLE_DAYS_MAX } from '@headrace/contract/rules/schedule/programme';
import type { SetFigures } from '@headrace/contract/schedule-sets';
import type { ScheduleFinding } from '@headrace/contract/schedules';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { Db } from '../../db/client.ts';
import { parseOnce } from '../../db/shared-json.ts';
import type { KeptDesign } from '../../db/schema/commands.ts';
import type { Database } from '../../db/schema.ts';

export interface ScheduleSet {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  /** Until its waterings come round; null: its settings don't say. */
  readonly cycleMinutes: number | null;
}

/** What a set has for a unit; of one in several groups, its lines are named one after another. */
export interface SetUnit {
  readonly entries: readonly ScheduleEntry[];
  readonly scheduleGroup: string;
}

export interface NewSetUnit extends SetUnit {
  readonly deviceId: number;
  readonly groupUid: string;
  readonly groupName: string;
}

/** Who made a set of what. */
export interface SetOrigin {
  readonly template: { readonly id: number; readonly version: number } | null;
  readonly isByHand: boolean;
  readonly design: KeptDesign;
  readonly figures: SetFigures;
  readonly findings: readonly ScheduleFinding[];
  readonly accountId: number | null;
  readonly now: Date;
  /** The set that it takes the place of in lists. */
  readonly replaces: number | null;
}

export interface NewSet {
  readonly uid: string;
  readonly name: string;
  readonly cycleMinutes: number;
  /** A unit of two groups is in it for each. */
  readonly units: readonly NewSetUnit[];
  readonly origin?: SetOrigin;
}

const DAY_MINUTES = 1440;

/** In lists: those that weren't deleted, without those that a newer one replaced unless the farm waters by it. */
export function isListed({ exists, selectFrom, or, not, ref }: ExpressionBuilder<Database, 'schedule_set'>) {
  const isCurrent = exists(
    selectFrom('farm as f')
      .select('f.id')
      .whereRef('f.id', '=', 'schedule_set.farm_id')
      .whereRef('f.current_set_id', '=', 'schedule_set.id'),
  );
  const isReplaced = exists(
    selectFrom('schedule_set as newer')
      .select('newer.id')
      .where('newer.farm_id', '=', ref('schedule_set.farm_id'))
      .where('newer.replaces', '=', ref('schedule_set.id')),
  );
  return or([not(isReplaced), isCurrent]);
}

/** Sets of schedules, for this feature and for those who send them; every query stays on the farm. */
export function createScheduleSets(db: Db) {
  const sets = (farmId: number) =>
    db
      .selectFrom('schedule_set')
      .select(['id', 'uid', 'name', sql<number | null>`(settings->>'cycleLen')::float8`.as('cycleMinutes')])
      .where('farm_id', '=', farmId)
      .where('deleted_at', 'is', null);

  return {
    byUid: (farmId: number, uid: string): Promise<ScheduleSet | undefined> =>
      sets(farmId).where('uid', '=', uid.toLowerCase()).executeTakeFirst(),

    /** Replaced ones too. */
    all: (farmId: number): Promise<ScheduleSet[]> => sets(farmId).execute(),

    /** The oldest first. */
    list: (farmId: number): Promise<ScheduleSet[]> =>
      sets(farmId).where(isListed).orderBy('created_at').orderBy('id').execute(),

    /** What the set has for each unit, by device. Units that have the same share it as one object. */
    async units(farmId: number, setId: number): Promise<ReadonlyMap<number, SetUnit>> {
      const rows = await db
        .selectFrom('schedule_set_unit')
        .select([
          'device_id as deviceId',
          'schedule_group as scheduleGroup',
          sql<string>`entries::text`.as('text'),
        ])
        .where('farm_id', '=', farmId)
        .where('set_id', '=', setId)
        .execute();
      const entriesOf = parseOnce((text) => JSON.parse(text) as readonly ScheduleEntry[]);
      return byDevice(
        rows.map(({ deviceId, scheduleGroup, text }) => ({
          deviceId,
          scheduleGroup,
          entries: entriesOf(text),
        })),
      );
    },

    /** A set stays as it is stored: who plans anew stores another. Its id. */
    async store(farmId: number, { uid, name, cycleMinutes, units, origin }: NewSet): Promise<number> {
      const { id } = await db
        .insertInto('schedule_set')
        .values({
          farm_id: farmId,
          uid,
          name,
          settings: JSON.stringify({ cycleLen: cycleMinutes }),
          ...(origin && originColumns(origin)),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await insertUnits(db, farmId, id, units);
      return id;
    },
  };
}
export type ScheduleSets = ReturnType<typeof createScheduleSets>;

const originColumns = (origin: SetOrigin) => ({
  template_id: origin.template?.id ?? null,
  template_version: origin.template?.version ?? null,
  is_by_hand: origin.isByHand,
  design: JSON.stringify(origin.design),
  figures: JSON.stringify(origin.figures),
  findings: JSON.stringify(origin.findings),
  created_by: origin.accountId,
  created_at: origin.now,
  replaces: origin.replaces,
});

/** All at once: thousands of rows as values of their own take the driver longer than the database. */
async function insertUnits(db: Db, farmId: number, setId: number, units: readonly NewSetUnit[]) {
  const rows = JSON.stringify(
    units.map((unit) => ({
      device_id: unit.deviceId,
      group_uid: unit.groupUid,
      group_name: unit.groupName,
      schedule_group: unit.scheduleGroup,
      entries: unit.entries,
    })),
  );
  await sql`insert into schedule_set_unit (farm_id, set_id, device_id, group_uid, group_name, schedule_group, entries)
    select ${farmId}, ${setId}, k.device_id, k.group_uid, k.group_name, k.schedule_group, k.entries
    from jsonb_to_recordset(${rows}::jsonb) as k (device_id int, group_uid text, group_name text, schedule_group text,
      entries jsonb)`.execute(db);
}

/** Days until the waterings of a set come round: what its settings say, and at least the last day that it has one on. */
export const cycleDaysOf = (
  set: Pick<ScheduleSet, 'cycleMinutes'>,
  units: ReadonlyMap<number, SetUnit>,
): number =>
  Math.min(
    CYCLE_DAYS_MAX,
    [...new Set([...units.values()].map(({ entries }) => entries))]
      .flat()
      .reduce(
        (most, { cycle }) => Math.max(most, cycle),
        Math.max(1, Math.ceil((set.cycleMinutes ?? 0) / DAY_MINUTES)),
      ),
  );

export function byDevice(
  rows: readonly (SetUnit & { readonly deviceId: number })[],
): ReadonlyMap<number, SetUnit> {
  const several = new Map<number, SetUnit[]>();
  for (const row of rows) {
    const known = several.get(row.deviceId);
    if (known) known.push(row);
    else several.set(row.deviceId, [row]);
  }
  return new Map([...several].map(([deviceId, units]) => [deviceId, allTogether(units)]));
}

function allTogether(units: readonly SetUnit[]): SetUnit {
  const [first, ...others] =
    units.length === 1
      ? units
      : units.toSorted((one, other) => compareNatural(one.scheduleGroup, other.scheduleGroup));
  return others.reduce(together, first ?? { entries: [], scheduleGroup: '' });
}

/** In the order in which units keep entries: their CRC is reckoned in it. */
const together = (one: SetUnit, other: SetUnit): SetUnit => ({
  scheduleGroup: `${one.scheduleGroup}, ${other.scheduleGroup}`,
  entries: [...one.entries, ...other.entries].toSorted(
    (first, second) =>
      first.cycle - second.cycle ||
      (first.start % DAY_MINUTES) - (second.start % DAY_MINUTES) ||
      first.duration - second.duration,
  ),
});
