import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { commandIsLive } from '../../db/under-way.ts';

/** What a set is needed for. */
export interface SetUsage {
  readonly setId: number;
  readonly isCurrent: boolean;
  readonly isBeingSent: boolean;
  /** A send that is under way goes back to it when it is cancelled. */
  readonly isBehindSend: boolean;
  /** Names of sprinklers that have still to get it. */
  readonly waiting: readonly string[];
  /** Some are to water by it. */
  readonly isWanted: boolean;
}

/** Of all sets of the farm, by id. One statement: nothing changes between its parts. */
export async function readUsage(db: Db, farmId: number): Promise<ReadonlyMap<number, SetUsage>> {
  const { rows } = await sql<SetUsage>`
    with live as (select c.replaced_set_id, lower(c.payload->>'setUID') as set_uid from command c
      where c.farm_id = ${farmId} and ${sql.raw(commandIsLive('c'))})
    select s.id as "setId", s.id is not distinct from f.current_set_id as "isCurrent",
      exists (select from live where set_uid = s.uid) as "isBeingSent",
      exists (select from live where replaced_set_id = s.id) as "isBehindSend",
      exists (select from unit_program p where p.farm_id = s.farm_id and p.set_id = s.id) as "isWanted",
      array(select d.name from unit_program p join device d on d.farm_id = p.farm_id and d.id = p.device_id
        where p.farm_id = s.farm_id and p.set_id = s.id and p.entries <> '[]' and d.deleted_at is null
          and (d.settings->>'outOfService')::boolean is not true and (d.settings->>'isSpareUnit')::boolean is not true
          and not exists (select from unit_held h where h.farm_id = p.farm_id and h.device_id = p.device_id and h.until is null
            and h.crc = p.crc and coalesce(h.cycle_days, p.cycle_days) = p.cycle_days)
        order by d.name) as waiting
    from schedule_set s join farm f on f.id = s.farm_id
    where s.farm_id = ${farmId} and s.deleted_at is null`.execute(db);
  return new Map(rows.map((row) => [row.setId, row]));
}

const NAMES_SHOWN = 3;

/** Why it can't be deleted; null: it can. */
export function inUseText(usage: SetUsage | undefined): string | null {
  if (!usage) return null;
  if (usage.isCurrent) return 'The farm waters by it. Send another set to the whole farm first.';
  if (usage.isBeingSent) return 'It is being sent.';
  if (usage.isBehindSend) return 'A send that is under way goes back to it when it is cancelled.';
  const { waiting } = usage;
  if (waiting.length === 0) return null;
  const more = waiting.length > NAMES_SHOWN ? ` and ${waiting.length - NAMES_SHOWN} more` : '';
  const who =
    waiting.length === 1
      ? '1 sprinkler has still to get it'
      : `${waiting.length} sprinklers have still to get it`;
  return `${who}: ${waiting.slice(0, NAMES_SHOWN).join(', ')}${more}. Send them another set first.`;
}
