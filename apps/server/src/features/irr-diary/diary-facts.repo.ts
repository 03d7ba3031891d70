import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { mapInTurns } from '../../jobs/in-turns.ts';
import { isPartOf } from '../waterings/unit-rates.ts';
import type {
  ClockRow,
  DiaryUnit,
  GroupingRow,
  HeldRow,
  RunRow,
  Span,
  WantedRow,
} from './diary-units.repo.ts';

/** What a sprinkler was to do. */
export interface PlanFacts {
  readonly unit: DiaryUnit;
  readonly held: readonly HeldRow[];
  /** What was sent to it, where that has changed in the time. */
  readonly sends: readonly WantedRow[];
}

/** What it did, and where it belonged. */
interface PastFacts {
  readonly groupings: readonly GroupingRow[];
  readonly runs: readonly RunTuple[];
  /** Valve Ons that were carried out, until they ended. */
  readonly openings: readonly Span[];
  readonly clock: ClockRow | null;
}

export interface UnitFacts extends PlanFacts, Omit<PastFacts, 'runs'> {
  readonly runs: readonly RunRow[];
}

/** Days of a farm, of all its sprinklers or of those that were ever in a group; `wide` reaches further to both sides. */
export interface AskedFacts {
  readonly farmId: number;
  readonly groupUid: string | null;
  readonly span: Span;
  readonly wide: Span;
}

/** The facts of a sprinkler, and what is the same only for as long as they are. */
export interface PrintedFacts {
  readonly print: string;
  readonly facts: UnitFacts;
}

type RunTuple = [
  openedAt: number,
  openedHow: RunRow['openedHow'],
  openUntil: number,
  closedAt: number | null,
  closedHow: RunRow['closedHow'],
  lps: number,
  mmPerMin: number,
  isPart: boolean,
];

const toRun = (
  unit: string,
  [openedAt, openedHow, openUntil, closedAt, closedHow, lps, mmPerMin, isPart]: RunTuple,
): RunRow => ({
  unit,
  openedAt,
  openedHow,
  openUntil,
  closedAt,
  closedHow,
  lps,
  mmPerMin,
  isPart,
});

function toFacts(plan: string, past: string): UnitFacts {
  const { unit, held, sends } = JSON.parse(plan) as PlanFacts;
  const { groupings, runs, openings, clock } = JSON.parse(past) as PastFacts;
  return { unit, held, sends, groupings, openings, clock, runs: runs.map((run) => toRun(unit.uid, run)) };
}

const ms = (column: string) => sql`round(date_part('epoch', ${sql.ref(column)}) * 1000)::float8`;
const hash = (text: string) => createHash('sha256').update(text).digest('base64');
const isOf = (column: string, ids: readonly number[] | null) =>
  ids === null ? sql`true` : sql`${sql.ref(column)} = any(${ids}::int[])`;

/**
 * All that the diary of each sprinkler is made of, as one text of JSON each. Whoever keeps what was made of a text asks for its print
 * only: there is nothing to forget when a fact is added, and nothing to be told by whoever writes, on whichever server.
 */
export function createDiaryFactsRepo(db: Db) {
  async function textsOf(texts: RawBuilder<unknown>): Promise<Map<number, string>> {
    const { rows } = await sql<{ texts: [number, string][] | null }>`
      select json_agg(json_build_array(id, text)) as texts from (${texts}) t`.execute(db);
    return new Map(rows[0]?.texts ?? []);
  }

  const print = sql`encode(sha256(convert_to(text, 'UTF8')), 'base64')`;

  async function printsOf(texts: RawBuilder<unknown>): Promise<Map<number, string>> {
    const { rows } = await sql<{ prints: [number, string][] | null }>`
      select json_agg(json_build_array(id, ${print})) as prints
      from (${texts}) t`.execute(db);
    return new Map(rows[0]?.prints ?? []);
  }

  return {
    /** By sprinkler; those that the farm has, or had in the time. */
    async prints(asked: AskedFacts): Promise<Map<number, string>> {
      const [plans, pasts] = await Promise.all([
        printsOf(planTexts(asked, null)),
        printsOf(pastTexts(asked, null)),
      ]);
      return new Map([...plans].map(([id, print]) => [id, print + (pasts.get(id) ?? '')]));
    },

    /** Of these sprinklers; null: of all. */
    async facts(asked: AskedFacts, ids: readonly number[] | null): Promise<Map<number, PrintedFacts>> {
      const [plans, pasts] = await Promise.all([
        textsOf(planTexts(asked, ids)),
        textsOf(pastTexts(asked, ids)),
      ]);
      const found = new Map<number, PrintedFacts>();
      // Who asks for something else meanwhile doesn't wait for a month of a thousand sprinklers.
      await mapInTurns([...plans], ([id, plan]) => {
        const past = pasts.get(id);
        // Else it was added between the two questions.
        if (past !== undefined) found.set(id, { print: hash(plan) + hash(past), facts: toFacts(plan, past) });
      });
      return found;
    },

    /** One print of what all sprinklers of a farm were to do in the time, without what was sent to them before. */
    async planPrint(farmId: number, wide: Span): Promise<string> {
      const { rows } = await sql<{ text: string | null }>`
        select string_agg(${print}, '' order by id) as text from (${planTexts({ farmId, groupUid: null, wide, sends: false }, null)}) t`.execute(
        db,
      );
      return rows[0]?.text ?? '';
    },

    async plans(farmId: number, wide: Span): Promise<{ print: string; plans: PlanFacts[] }> {
      const texts = await textsOf(planTexts({ farmId, groupUid: null, wide, sends: false }, null));
      return {
        print: [...texts.values()].map(hash).join(''),
        plans: [...texts.values()].map((text) => JSON.parse(text) as PlanFacts),
      };
    },
  };
}
export type DiaryFactsRepo = ReturnType<typeof createDiaryFactsRepo>;

/** What it is to hold now and was to hold before that, what it held at any moment of the time, and the newest eight sends to who was sent anything in it. */
const planTexts = (
  { farmId, groupUid, wide, sends = true }: Omit<AskedFacts, 'span'> & { readonly sends?: boolean },
  ids: readonly number[] | null,
) => sql`
  select d.id, json_build_object(
    'unit', json_build_object('id', d.id, 'uid', d.uid, 'name', d.name, 'serial', d.serial_number,
      'isPart', ${sql.raw(isPartOf('d'))}, 'isOutOfService', coalesce((d.settings->>'outOfService')::boolean, false),
      'groupIds', coalesce(m.ids, '[]'), 'wanted', coalesce(p.wanted, '[]')),
    'held', coalesce(h.list, '[]'), 'sends', coalesce(s.list, '[]'))::text as text
  from device d
  left join (select device_id, wanted_at, case when before is null then '[]'::jsonb else jsonb_build_array(jsonb_build_object(
        'at', round(date_part('epoch', (before->>'wanted_at')::timestamptz) * 1000), 'crc', before->>'crc',
        'entries', before->'entries', 'cycleDays', before->'cycle_days')) end
      || jsonb_build_array(jsonb_build_object('at', ${ms('wanted_at')}, 'crc', crc, 'entries', entries,
        'cycleDays', cycle_days)) as wanted
    from unit_program where farm_id = ${farmId} and ${isOf('device_id', ids)}) p on p.device_id = d.id
  left join (select device_id, jsonb_agg(group_id order by group_id) as ids from device_group_member
    where farm_id = ${farmId} and ${isOf('device_id', ids)} group by device_id) m on m.device_id = d.id
  left join (select device_id, json_agg(json_build_object('since', ${ms('since')}, 'until', ${ms('until')}, 'crc', crc,
      'entries', entries, 'cycleDays', cycle_days, 'stoppedAt', ${ms('stopped_at')}) order by since) as list
    from unit_held where farm_id = ${farmId} and ${isOf('device_id', ids)}
      and since < ${new Date(wide.to)} and (until is null or until > ${new Date(wide.from)})
    group by device_id) h on h.device_id = d.id
  left join lateral (
    select json_agg(json_build_object('at', ${ms('c.created_at')}, 'crc', c.crc, 'entries', c.entries, 'cycleDays', c.days)
      order by c.created_at) as list
    from (select o.created_at, u.crc, u.entries, coalesce((o.payload->>'cycleLen')::int, 1) as days
      from command_unit u join command o on o.farm_id = u.farm_id and o.id = u.command_id
      where u.farm_id = d.farm_id and u.device_id = d.id and u.entries is not null and u.crc is not null
        and u.state <> 'cancelled' and o.created_at < ${new Date(wide.to)}
      order by u.at desc limit 8) c) s on ${sends ? sql`p.wanted_at > ${new Date(wide.from)}` : sql`false`}
  where d.farm_id = ${farmId} and d.kind = 'sprinkler' and ${isOf('d.id', ids)}
    and (d.deleted_at is null or d.deleted_at > ${new Date(wide.from)})
    and (${groupUid}::text is null or exists (select from unit_grouping o where o.farm_id = d.farm_id
      and o.device_id = d.id and o.groups @> jsonb_build_array(jsonb_build_object('uid', ${groupUid}::text))))
  order by d.id`;

/** Its groups from before the end of the days on, its runs and Valve Ons, and how far its clock was off when it said that last, by days. */
const pastTexts = ({ farmId, span, wide }: AskedFacts, ids: readonly number[] | null) => sql`
  select d.id, json_build_object('groupings', coalesce(g.list, '[]'), 'runs', coalesce(r.list, '[]'),
    'openings', coalesce(v.list, '[]'), 'clock', c.clock)::text as text
  from device d
  left join (select o.device_id, json_agg(json_build_object('since', ${ms('o.since')}, 'groups', o.groups, 'line', o.line)
      order by o.since) as list
    from unit_grouping o where o.farm_id = ${farmId} and ${isOf('o.device_id', ids)}
      and (o.since < ${new Date(span.to)} or not exists (select from unit_grouping e
        where e.farm_id = o.farm_id and e.device_id = o.device_id and e.since < o.since))
    group by o.device_id) g on g.device_id = d.id
  left join (select device_id, json_agg(json_build_array(${ms('opened_at')}, opened_how, ${ms('open_until')},
      ${ms('closed_at')}, closed_how, lps, mm_per_min, is_part) order by opened_at) as list
    from watering_run where farm_id = ${farmId} and ${isOf('device_id', ids)}
      and opened_at >= ${new Date(wide.from)} and opened_at < ${new Date(wide.to)}
    group by device_id) r on r.device_id = d.id
  left join (select device_id, json_agg(json_build_object('from', ${ms('opened_at')},
      'to', round(date_part('epoch', least(closed_at, closes_by)) * 1000)) order by opened_at) as list
    from command_unit where farm_id = ${farmId} and ${isOf('device_id', ids)} and closes_by is not null
      and opened_at >= ${new Date(wide.from)} and opened_at < ${new Date(wide.to)}
    group by device_id) v on v.device_id = d.id
  left join (select s.device_id, json_build_object('s', n.last_value, 'at', ${ms('n.last_at')}) as clock
    from series s
    cross join lateral (select last_value, last_at from reading_day e
      where e.farm_id = s.farm_id and e.series_id = s.id and e.at < ${new Date(span.to)}
      order by e.at desc limit 1) n
    where s.farm_id = ${farmId} and s.metric = 'clock' and ${isOf('s.device_id', ids)}) c on c.device_id = d.id
  where d.farm_id = ${farmId} and d.kind = 'sprinkler' and ${isOf('d.id', ids)}`;
