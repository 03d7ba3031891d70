import { alertKindInfo, usualAlerts } from '@headrace/contract/rules/alerts/alert-kinds';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';

/** A new farm's people are told what can't wait, without having asked for it. */
export async function addUsualAlerts(trx: Db, farmId: number, accountId: number, now: Date): Promise<void> {
  const rows = usualAlerts.map(({ kind, name }) => {
    const { conditions, usual, holdMin } = alertKindInfo[kind];
    const [condition = 'any'] = conditions;
    return {
      farm_id: farmId,
      uid: newUid(now),
      name,
      kind,
      enabled: true,
      watch: kind === 'OutOfContact' ? ('gateway' as const) : null,
      condition,
      value: usual[condition] ?? null,
      clear_value: null,
      hold_min: holdMin,
      class: null,
      created_by: accountId,
      on_since: now,
      created_at: now,
      updated_at: now,
    };
  });
  await trx
    .insertInto('alert_rule')
    .values(rows.map((row) => ({ ...row, device_ids: [], inputs: [] })))
    .execute();
}
