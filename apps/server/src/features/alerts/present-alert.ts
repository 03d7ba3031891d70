import type { Alert } from '@headrace/contract/alerts';
import { canWatch } from '@headrace/contract/rules/alerts/watched-devices';
import { isOfFarm } from '@headrace/contract/rules/alerts/alert-kinds';
import type { FarmRow } from '../../db/schema.ts';
import type { AlertRulesRepo, PersonRow, WatchableRow } from './alert-rules.repo.ts';
import { type RuleRow, watchesDevice } from './observation.ts';

export interface AlertSources {
  readonly farm: FarmRow;
  readonly devices: readonly WatchableRow[];
  readonly lastNotified: ReadonlyMap<number, Date>;
  /** Who is told of the farm. */
  readonly people: readonly PersonRow[];
  readonly pauses: Awaited<ReturnType<AlertRulesRepo['pauses']>>;
}

/** Of an alert, or (0) of the farm; null: there is none. */
export function pausedOf(pauses: AlertSources['pauses'], ruleId: number): Alert['paused'] {
  const found = pauses.find(({ rule_id }) => rule_id === ruleId);
  return found ? { until: new Date(found.until).toISOString(), by: found.by_name } : null;
}

export function toAlert(row: RuleRow, { farm, devices, lastNotified, people, pauses }: AlertSources): Alert {
  const watched = devices.filter((one) => canWatch(row.kind, row.watch, one) && watchesDevice(row, one.id));
  const chosen = new Set(row.device_ids);
  // Whoever is not told of the farm any more is not told by it either.
  const uidsOf = (ids: readonly number[]) =>
    people.filter(({ id }) => ids.includes(id)).map(({ uid }) => uid);
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
    people: uidsOf(row.people),
    escalation:
      row.escalate_min === null
        ? null
        : { afterMinutes: row.escalate_min, people: uidsOf(row.escalate_people) },
    paused: pausedOf(pauses, row.id),
    version: row.version,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}
