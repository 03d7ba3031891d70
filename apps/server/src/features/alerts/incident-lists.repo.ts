import { OPEN_LISTED } from '@headrace/contract/alerts';
import { alertClasses } from '@headrace/contract/rules/alerts/alert-kinds';
import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { farmsInBellAlone } from './farms-in-bell-alone.ts';
import type { IncidentRow } from './incident-subject.ts';
import { snoozedOrPausedUntil } from './pauses.ts';

export interface IncidentOfFarm extends IncidentRow {
  readonly rule_uid: string | null;
  readonly condition: string | null;
  readonly value: number | null;
  readonly answered_name: string | null;
  readonly snoozed_name: string | null;
  /** For a snooze or a pause. */
  readonly snoozed_or_paused_until: Date | null;
}

/** One that is so, and how many of its farm are. */
export interface OpenIncident extends IncidentOfFarm {
  readonly of_farm: number;
}

export const ofFarms = (db: Db, farmIds: readonly number[]) =>
  db
    .selectFrom('alert_incident as i')
    .leftJoin('alert_rule as r', (join) =>
      join.onRef('r.farm_id', '=', 'i.farm_id').onRef('r.id', '=', 'i.rule_id'),
    )
    .leftJoin('account as a', 'a.id', 'i.answered_by')
    .leftJoin('account as s', 's.id', 'i.snoozed_by')
    .selectAll('i')
    .select([
      'r.uid as rule_uid',
      'r.condition',
      'r.value',
      'a.name as answered_name',
      's.name as snoozed_name',
    ])
    .select(snoozedOrPausedUntil.as('snoozed_or_paused_until'))
    .where('i.farm_id', 'in', [...farmIds]);

/** What is so on farms and what was, in the order in which they list it. */
export function createIncidentLists(db: Db) {
  return {
    /** The worst first, of each class the newest; of each farm so many at most. With `deviceUid` those alone that are so of it. */
    async open(farmIds: readonly number[], deviceUid?: string): Promise<OpenIncident[]> {
      if (farmIds.length === 0) return [];
      const ofFarm = ofFarms(db, farmIds)
        .where('i.ended_at', 'is', null)
        .$if(deviceUid !== undefined, (query) => query.where(isSoOf(deviceUid ?? '')))
        .select(sql<number>`(count(*) over (partition by i.farm_id))::int`.as('of_farm'))
        .select(
          sql<number>`(row_number() over (partition by i.farm_id order by ${worstFirst}))::int`.as('nth'),
        );
      return db
        .selectFrom(ofFarm.as('i'))
        .selectAll()
        .where('nth', '<=', OPEN_LISTED)
        .orderBy(worstFirst)
        .execute();
    },

    inBellAlone: (accountId: number, farms: readonly FarmRow[], now: Date) =>
      farmsInBellAlone(db, accountId, farms, now),

    /** Of a farm, in the order of its list, from behind one of them on; so many at most. */
    page(
      farmId: number,
      state: 'open' | 'ended',
      behind: IncidentRow | undefined,
      limit: number,
    ): Promise<IncidentOfFarm[]> {
      const isOpen = state === 'open';
      return ofFarms(db, [farmId])
        .where('i.ended_at', isOpen ? 'is' : 'is not', null)
        .$if(behind !== undefined, (query) => query.where(isBehind(behind as IncidentRow, isOpen)))
        .orderBy(isOpen ? worstFirst : newestFirst)
        .limit(limit)
        .execute();
    },

    /** The last that ended since then, so many at most. */
    endedSince: (farmId: number, since: Date, limit: number): Promise<IncidentOfFarm[]> =>
      ofFarms(db, [farmId])
        .where(sql<boolean>`greatest(i.ended_at, i.seen_late_at) > ${since}`)
        .where('i.ended_at', 'is not', null)
        .orderBy(sql`i.ended_at desc, i.id desc`)
        .limit(limit)
        .execute(),

    /** How many are so on a farm, and how many of it ended since then. */
    counts: (farmId: number, { endedSince }: { endedSince: Date }) =>
      db
        .selectFrom('alert_incident')
        .select(sql<number>`(count(*) filter (where ended_at is null))::int`.as('open'))
        .select(
          sql<number>`(count(*) filter (where ended_at is not null and ${isEndedSince(endedSince)}))::int`.as(
            'ended',
          ),
        )
        .where('farm_id', '=', farmId)
        .where((eb) => eb.or([eb('ended_at', 'is', null), isEndedSince(endedSince)]))
        .executeTakeFirstOrThrow(),
  };
}

/** Or known since then alone. */
const isEndedSince = (since: Date) => sql<boolean>`greatest(ended_at, seen_late_at) > ${since}`;

const isSoOf = (deviceUid: string) => sql<boolean>`exists (select from alert_episode o
  join device d on d.farm_id = o.farm_id and d.id = o.device_id
  where o.farm_id = i.farm_id and o.incident_id = i.id and o.ended_at is null and d.uid = ${deviceUid})`;

const worst = sql`array_position(${[...alertClasses]}::text[], i.class)`;

const newestFirst = sql`i.opened_at desc, i.id desc`;
const worstFirst = sql`${worst} desc, ${newestFirst}`;

/** Behind it in the list of what is so, or of what is over. */
function isBehind({ class: of, opened_at, id }: IncidentRow, isOpen: boolean) {
  const isOlder = sql<boolean>`(i.opened_at, i.id) < (${opened_at}::timestamptz, ${id}::bigint)`;
  const nth = sql`${alertClasses.indexOf(of) + 1}::int`;
  return isOpen ? sql<boolean>`(${worst} < ${nth} or (${worst} = ${nth} and ${isOlder}))` : isOlder;
}
