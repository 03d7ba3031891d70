import { sql } from 'kysely';
import type { FailedCommand } from '@headrace/contract/attention';
import { commandInfo, commandTypes, typesThat } from '@headrace/device/commands';
import { UNSEEN_DAYS, UNSEEN_MOST } from '@headrace/contract/limits';
import { atMost } from '../../at-most.ts';
import type { Db } from '../../db/client.ts';
import { newestValveReport, newestValveReportAt } from '../series/newest-valve-report.ts';
import { commandMatters, lonelyTypes } from './command-matters.ts';

const DAY_MS = 86_400_000;
/** Home pages ask of all farms at once; the others wait, so that calls about one farm come between. */
const AT_A_TIME = 2;
/** So many are looked through at most for those that matter still. */
const LOOKED_THROUGH = 100;

interface Row extends Omit<FailedCommand, 'title' | 'isForGateway'> {
  type: number;
}
/** Who asks, of which farm. */
export interface Viewer {
  readonly farmId: number;
  readonly accountId: number;
}

/** Of gateways' relays and settings: which of them command `c` is about. */
const part = sql.raw(`case c.type when ${commandTypes.ToggleIO} then c.payload->>'relay'
  when ${commandTypes.UpdateSettings} then c.payload->>'settings' else '' end`);
const isOwn = sql`(c.payload ? 'automatic' and c.type <> all(${[...lonelyTypes]}::int[]))`;

/** Commands that ended badly, for as long as somebody has not seen them. */
export function createUnseenCommands(db: Db) {
  const inTurn = atMost(AT_A_TIME);

  async function read({ farmId, accountId }: Viewer, now: Date): Promise<FailedCommand[]> {
    const since = new Date(now.getTime() - UNSEEN_DAYS * DAY_MS);
    const { rows } = await sql<Row>`with matter as materialized (
        select * from unnest(${commandMatters.map(({ type }) => type)}::int[],
          ${commandMatters.map(({ matter }) => matter)}::text[]) as m (type, matter)),
      unseen as materialized (
        select c.id, c.uid, c.type, c.name, c.created_at, c.state_at, m.matter, ${part} as part
        from command c join matter m on m.type = c.type
        where c.farm_id = ${farmId} and c.state in ('failed', 'expired') and c.type <> ${commandTypes.Ping}
          and c.state_at > greatest(${since}, ${sharedAt(farmId, accountId)}) and not ${isOwn}
          and not exists (select from command_seen s where s.farm_id = c.farm_id and s.account_id = ${accountId}
            and s.command_id = c.id and s.at >= c.state_at)
        order by c.state_at desc limit ${LOOKED_THROUGH}),
      newer as materialized (${newerOf(farmId)}),
      counted as materialized (${countsOf(farmId)})
      select u.uid as _id, u.type, u.name, n.failed, n.unanswered, n."leftOut",
        (select count(*)::int from command_unit p where p.farm_id = ${farmId} and p.command_id = u.id) as total
      from unseen u join counted n on n.id = u.id
      order by u.state_at desc, u.id desc limit ${UNSEEN_MOST}`.execute(db);
    return rows.map(toFailed);
  }

  return {
    /** The newest first. */
    unseen: (viewer: Viewer, now: Date): Promise<FailedCommand[]> => inTurn(() => read(viewer, now)),

    /** As it stands at `now`: when it ends anew, it is news again. */
    async see({ farmId, accountId }: Viewer, commandId: number, now: Date): Promise<void> {
      await sql`insert into command_seen (farm_id, account_id, command_id, at)
        values (${farmId}, ${accountId}, ${commandId}, ${now})
        on conflict (farm_id, account_id, command_id) do update set at = greatest(command_seen.at, excluded.at)`.execute(
        db,
      );
    },
  };
}

/** Whoever a farm was shared with is not asked to look after what ended before that; -infinity: it is theirs. */
const sharedAt = (farmId: number, accountId: number) => sql<Date>`coalesce((
  select min(coalesce(s.answered_at, s.created_at)) from share s join farm f on f.owner_id = s.owner_id
  where f.id = ${farmId} and s.agent_id = ${accountId} and s.state = 'accepted'
    and (s.farm_id is null or s.farm_id = f.id)), '-infinity')`;

/**
 * By unit and by what it is about, the newest command that came to an end there after the oldest of the `unseen` ones. All units at once: to
 * look for newer ones of each unit took seconds where a whole farm had not answered.
 */
const newerOf = (farmId: number) => sql`
  select x.device_id, m.matter, ${part} as part, max(c.id) as id
  from command c join matter m on m.type = c.type
  join command_unit x on x.farm_id = c.farm_id and x.command_id = c.id
  where c.farm_id = ${farmId} and c.id > (select min(id) from unseen) and m.matter in (select matter from unseen)
    and (x.state = 'done' or x.state = 'skipped' and not x.held_back
      or x.state in ('failed', 'expired') and not ${isOwn})
  group by 1, 2, 3`;

/**
 * Of the `unseen` commands, for how many units their end matters still. Not where another unit stands there by now, or none that is in
 * service; where something newer about the same was said to that unit, in the end; where it holds the schedule after all, or is to water
 * by another; where the valve that was to be closed is.
 */
const countsOf = (farmId: number) => sql`
  select u.id, (count(*) filter (where p.state = 'failed'))::int as failed,
    (count(*) filter (where p.state = 'expired'))::int as unanswered,
    (count(*) filter (where p.state = 'skipped'))::int as "leftOut"
  from unseen u
  join command_unit p on p.farm_id = ${farmId} and p.command_id = u.id
    and (p.state in ('failed', 'expired') or p.state = 'skipped' and p.held_back and not p.is_unheard)
  join device d on d.farm_id = p.farm_id and d.id = p.device_id and d.deleted_at is null
  left join newer n on n.device_id = p.device_id and n.matter = u.matter and n.part is not distinct from u.part
    and n.id > u.id
  where n.id is null
    and (p.was_shelved or not (coalesce((d.settings->>'outOfService')::boolean, false)
      or coalesce((d.settings->>'isSpareUnit')::boolean, false)))
    and (p.mac is null or d.mac is null or p.mac = d.mac)
    and (p.crc is null or not exists (select from unit_program w where w.farm_id = p.farm_id and w.device_id = p.device_id
        and w.crc is distinct from p.crc) and not exists (select from unit_held h where h.farm_id = p.farm_id
        and h.device_id = p.device_id and h.until is null and h.crc = p.crc and h.since >= u.created_at))
    and not (u.type = any(${[...typesThat('closes')]}::int[]) and ${hasClosed(farmId)})
  group by u.id`;

/** Whether unit `p` has reported its valve closed since command `u`: by its own, or by hand. */
const hasClosed = (farmId: number) => sql`exists (
  select from series s join latest l on l.farm_id = s.farm_id and l.series_id = s.id
  where s.farm_id = ${farmId} and s.device_id = p.device_id and s.metric = 'valve'
    and ${sql.raw(newestValveReport)} = 0 and ${sql.raw(newestValveReportAt)} > u.created_at)`;

function toFailed({ type, ...row }: Row): FailedCommand {
  const info = commandInfo(type);
  return { ...row, title: info?.title ?? String(type), isForGateway: info?.target === 'gateway' };
}
