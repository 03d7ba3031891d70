import type { Alert, listAlerts } from '@headrace/contract/alerts';
import type { ReplyOf } from '@headrace/contract/endpoint';
import { compareNatural } from '@headrace/contract/rules/natural-order';
import { canWatch } from '@headrace/contract/rules/alerts/watched-devices';
import { isOfFarm } from '@headrace/contract/rules/alerts/alert-kinds';
import type { FarmRow } from '../../db/schema.ts';
import type { AlertRulesRepo, PersonRow, WatchableRow } from './alert-rules.repo.ts';
import type { RuleRow } from './observation.ts';

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
  const found = pauses.find(({ rule_id, device_id }) => rule_id === ruleId && device_id === 0);
  return found ? pausedUntil(found) : null;
}

const pausedUntil = ({ until, by_name: by }: Pick<AlertSources['pauses'][number], 'until' | 'by_name'>) => ({
  until: new Date(until).toISOString(),
  by,
});

/** Each by itself; one that is gone is left out. */
export const pausedDevicesOf = (
  pauses: AlertSources['pauses'],
): ReplyOf<typeof listAlerts>['pausedDevices'] =>
  pauses
    .flatMap(({ device_uid: uid, device_name: name, ...pause }) =>
      uid === null || name === null ? [] : [{ uid, name, ...pausedUntil(pause) }],
    )
    .toSorted((one, other) => compareNatural(one.name, other.name));

export const toAlert = (row: RuleRow, sources: AlertSources): Alert => alertPresenter(sources)(row);

/** For many: which devices each kind can watch is asked once, since a farm may have 500 alerts and 5,000 devices. */
export function alertPresenter({ farm, devices, lastNotified, people, pauses }: AlertSources) {
  const byId = new Map(devices.map((device) => [device.id, device]));
  const watchable = new Map<string, readonly WatchableRow[]>();
  const watchableBy = ({ kind, watch }: RuleRow): readonly WatchableRow[] => {
    const key = `${kind} ${watch}`;
    const known = watchable.get(key) ?? devices.filter((one) => canWatch(kind, watch, one));
    watchable.set(key, known);
    return known;
  };
  const watchedCount = (row: RuleRow): number => {
    // The farm is there.
    if (isOfFarm(row.kind)) return 1;
    if (row.device_ids.length === 0) return watchableBy(row).length;
    return row.device_ids.filter((id) => {
      const device = byId.get(id);
      return device !== undefined && canWatch(row.kind, row.watch, device);
    }).length;
  };
  // Whoever is not told of the farm any more is not told by it either.
  const uidsOf = (ids: readonly number[]) =>
    ids.length === 0 ? [] : people.filter(({ id }) => ids.includes(id)).map(({ uid }) => uid);
  return (row: RuleRow): Alert => ({
    _id: row.uid,
    farmUID: farm.uid,
    name: row.name,
    enabled: row.enabled,
    kind: row.kind,
    deviceIds: row.device_ids.flatMap((id) => byId.get(id)?.uid ?? []),
    condition: row.condition as Alert['condition'],
    value: row.value,
    holdMinutes: row.hold_min,
    clearValue: row.clear_value,
    class: row.class,
    watch: row.watch,
    inputs: row.inputs,
    watches: watchedCount(row),
    lastNotifiedAt: lastNotified.get(row.id)?.toISOString() ?? null,
    people: uidsOf(row.people),
    escalation:
      row.escalate_min === null
        ? null
        : { afterMinutes: row.escalate_min, people: uidsOf(row.escalate_people) },
    paused: pausedOf(pauses, row.id),
    version: row.version,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  });
}
