import type { Alert } from '@headrace/contract/alerts';
import { canWatch } from '@headrace/contract/rules/alerts/watched-devices';
import { isOfFarm } from '@headrace/contract/rules/alerts/alert-kinds';
import type { FarmRow } from '../../db/schema.ts';
import type { WatchableRow } from './alert-rules.repo.ts';
import { type RuleRow, watchesDevice } from './observation.ts';

export interface AlertSources {
  readonly farm: FarmRow;
  readonly devices: readonly WatchableRow[];
  readonly lastNotified: ReadonlyMap<number, Date>;
}

export function toAlert(row: RuleRow, { farm, devices, lastNotified }: AlertSources): Alert {
  const watched = devices.filter((one) => canWatch(row.kind, row.watch, one) && watchesDevice(row, one.id));
  const chosen = new Set(row.device_ids);
  return {
    _id: row.uid,
    farmUID: farm.uid,
    name: row.name,
    enabled: row.enabled,
    kind: row.kind,
    deviceIds: devices.filter(({ id }) => chosen.has(id)).map(({ uid }) => uid),
    condition: row.condition as Alert['condition'],
    value: row.value,
    holdMinutes: row.hold_min,
    clearValue: row.clear_value,
    class: row.class,
    watch: row.watch,
    inputs: row.inputs,
    // The farm is there.
    watches: isOfFarm(row.kind) ? 1 : watched.length,
    lastToldAt: lastNotified.get(row.id)?.toISOString() ?? null,
    version: row.version,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}
