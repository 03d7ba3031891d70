import {
  type AlertKind,
  alertKindInfo,
  usualAlerts,
  type WatchedDevice,
} from '@headrace/contract/rules/alerts/alert-kinds';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';

/** An alert as its kind proposes it. */
export interface UsualAlert {
  readonly kind: AlertKind;
  readonly name: string;
  readonly watch?: WatchedDevice;
  /** Absent: what is usual for its kind. */
  readonly value?: number;
}

/** A new farm's people are told what can't wait, without having asked for it. */
export const addUsualAlerts = (trx: Db, farmId: number, accountId: number, now: Date): Promise<void> =>
  addAlerts(trx, { farmId, accountId, alerts: newFarmAlerts }, now);

export const newFarmAlerts: readonly UsualAlert[] = usualAlerts.map((alert) =>
  alert.kind === 'OutOfContact' ? { ...alert, watch: 'gateway' } : alert,
);

export interface AddedAlerts {
  readonly farmId: number;
  readonly accountId: number;
  readonly alerts: readonly UsualAlert[];
}

/** Switched on, each of all devices that it can watch. */
export async function addAlerts(
  trx: Db,
  { farmId, accountId, alerts }: AddedAlerts,
  now: Date,
): Promise<void> {
  const rows = alerts.map(({ kind, name, watch = null, value }) => {
    const { conditions, usual, holdMin } = alertKindInfo[kind];
    const [condition = 'any'] = conditions;
    return {
      farm_id: farmId,
      uid: newUid(now),
      name,
      kind,
      enabled: true,
      watch,
      condition,
      value: value ?? usual[condition] ?? null,
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
