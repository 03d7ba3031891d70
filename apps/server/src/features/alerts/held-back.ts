import { HELD_BACK_DAYS, HELD_BACK_LISTED, type listHeldBack } from '@headrace/contract/notification-ways';
import type { ReplyOf } from '@headrace/contract/endpoint';
import type { HeldBackReason } from '@headrace/contract/rules/alerts/held-back';
import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { AccessService } from '../access/access.service.ts';

const DAY_MS = 86_400_000;

/** What one person was told in the bell alone, of farms of which they are told still. */
export function createHeldBack(db: Db, access: Pick<AccessService, 'grants'>) {
  return async (accountId: number, now: Date): Promise<ReplyOf<typeof listHeldBack>> => {
    const grants = await access.grants(accountId, now);
    const farms = grants.filter(({ permissions }) => permissions.notifications).map(({ farm }) => farm);
    const byId = new Map(farms.map((farm) => [farm.id, farm]));
    const since = new Date(now.getTime() - HELD_BACK_DAYS * DAY_MS);
    const rows = await read(db, [...byId.keys()], accountId, since);
    return {
      heldBack: rows.slice(0, HELD_BACK_LISTED).flatMap(({ farm_id, uid, at, note, why, until }) => {
        const farm = byId.get(farm_id);
        if (!farm) return [];
        const of = { farmUID: farm.uid, farmName: farm.name, incidentUID: uid };
        return [{ at: at.toISOString(), ...of, text: note, why, until: until?.toISOString() ?? null }];
      }),
      more: rows.length > HELD_BACK_LISTED,
    };
  };
}
export type ReadHeldBack = ReturnType<typeof createHeldBack>;

interface HeldRow {
  readonly farm_id: number;
  readonly uid: string;
  readonly at: Date;
  readonly note: string;
  readonly why: HeldBackReason;
  readonly until: Date | null;
}

async function read(
  db: Db,
  farmIds: readonly number[],
  accountId: number,
  since: Date,
): Promise<readonly HeldRow[]> {
  if (farmIds.length === 0) return [];
  const { rows } =
    await sql<HeldRow>`select n.farm_id, i.uid, s.at, s.note, n.held_back as why, n.held_until as until
    from alert_notice n join alert_step s on s.farm_id = n.farm_id and s.id = n.step_id
    join alert_incident i on i.farm_id = s.farm_id and i.id = s.incident_id
    where n.farm_id = any(${[...farmIds]}::int[]) and n.account_id = ${accountId} and n.held_back is not null and s.at > ${since}
    order by s.at desc, s.id desc limit ${HELD_BACK_LISTED + 1}`.execute(db);
  return rows;
}
