import { defaultIoSettings } from '@headrace/contract/rules/io-settings';
import type { Step } from '../../changes/change-batch.ts';
import { isSame } from '../../changes/change-log.ts';
import { withoutOverrides } from '../../gateway-io/relay-overrides.ts';
import type { FarmNow } from './farm-now.ts';
import type { RestoreItem } from './plan-restore.ts';
import type { Snapshot } from './snapshot.ts';

type Columns = Readonly<Record<string, unknown>>;
type Steps = Readonly<Record<string, Step>>;

/** As they were, and as they are; those that differ. */
function stepsBetween(was: Columns, is: Columns): Steps {
  const differing = Object.entries(was).filter(([name, value]) => !isSame(value, is[name] ?? null));
  return Object.fromEntries(
    differing.map(([name, value]): [string, Step] => [name, [value, is[name] ?? null]]),
  );
}
const fieldsOf = (steps: Steps) =>
  Object.entries(steps).map(([field, [was, is]]) => ({ field, from: is, to: was }));

export function planFarm(backup: Snapshot, now: FarmNow): RestoreItem[] {
  const columns = stepsBetween(farmColumns(backup.farm), farmColumns(now.snapshot.farm));
  if (Object.keys(columns).length === 0) return [];
  const { uid, name } = now.farm;
  const fields = fieldsOf(columns).map((step) =>
    step.field === 'boundary' ? { ...step, from: cornersOf(step.from), to: cornersOf(step.to) } : step,
  );
  return [
    {
      row: { kind: 'farm', uid, name, action: 'change back', fields, why: '' },
      deed: { do: 'change record', record: { what: 'changed', kind: 'farm', uid, name, columns } },
    },
  ];
}

const cornersOf = (boundary: unknown) => `${Array.isArray(boundary) ? boundary.length : 0} corners`;

const farmColumns = (farm: Snapshot['farm']): Columns => ({
  name: farm.name,
  description: farm.description,
  icon: farm.icon,
  lat: farm.lat,
  lng: farm.lng,
  size_ha: farm.size,
  irrigation_area_ha: farm.irrigationArea,
  boundary: farm.boundary,
  tank_only: farm.tankOnly,
  v3_site: farm.v3Site,
  wal_config: farm.walConfig,
  address: farm.address,
  supplier: farm.supplier,
  time_zone_id: farm.timezone.timeZoneId,
  raw_offset: farm.timezone.rawOffset,
  dst_offset: farm.timezone.dstOffset,
  dst_enabled: farm.timezone.dstEnabled,
});

export function planGroups(backup: Snapshot, now: FarmNow): RestoreItem[] {
  const live = new Map(now.snapshot.groups.map((group) => [group._id, group]));
  const kept = new Set(backup.groups.map(({ _id }) => _id));
  const back = backup.groups.flatMap(({ _id: uid, ...group }): RestoreItem[] => {
    const { name } = group;
    const columns = columnsOfGroup(group);
    const found = live.get(uid);
    const of = { kind: 'group', uid, name } as const;
    if (!found)
      return [
        {
          row: { ...of, action: 'come back', fields: [], why: '' },
          deed: { do: 'return group', group: { uid, ...columns } },
        },
      ];
    const steps = stepsBetween(columns, columnsOfGroup(found));
    if (Object.keys(steps).length === 0) return [];
    return [
      {
        row: { ...of, action: 'change back', fields: fieldsOf(steps), why: '' },
        deed: { do: 'change record', record: { ...of, what: 'changed', columns: steps } },
      },
    ];
  });
  const off = now.snapshot.groups.flatMap(({ _id: uid, name }): RestoreItem[] => {
    const known = now.groups.get(uid);
    if (kept.has(uid) || !known) return [];
    return [
      {
        row: { kind: 'group', uid, name, action: 'take off', fields: [], why: '' },
        deed: { do: 'take group off', group: { id: known.id, uid, name } },
      },
    ];
  });
  return [...back, ...off];
}

const columnsOfGroup = ({
  name,
  description,
  isLateral,
  walConfig,
}: Omit<Snapshot['groups'][number], '_id'>) => ({
  name,
  description,
  is_lateral: isLateral,
  wal_config: walConfig,
});

export function planTemplates(backup: Snapshot, now: FarmNow): RestoreItem[] {
  const live = new Map(now.snapshot.templates.map((template) => [template._id, template]));
  const kept = new Set(backup.templates.map(({ _id }) => _id));
  const back = backup.templates.flatMap(({ _id: uid, name, ...body }): RestoreItem[] => {
    const of = { kind: 'schedule template', uid, name } as const;
    const found = live.get(uid);
    const deletedAt = now.deletedTemplates.get(uid);
    if (!found && !deletedAt)
      return [
        {
          row: { ...of, action: 'come back', fields: [], why: '' },
          deed: { do: 'return template', template: { uid, name, body } },
        },
      ];
    if (!found)
      return [
        {
          row: { ...of, action: 'come back', fields: [], why: '' },
          deed: {
            do: 'change record',
            record: {
              ...of,
              what: 'changed',
              columns: { deleted_at: [null, deletedAt ?? null], name: [name, null], body: [body, null] },
            },
          },
        },
      ];
    const { _id, name: nameNow, ...bodyNow } = found;
    const columns = stepsBetween({ name, body }, { name: nameNow, body: bodyNow });
    if (Object.keys(columns).length === 0) return [];
    const fields = Object.keys(columns).map((field) =>
      field === 'name'
        ? { field, from: nameNow, to: name }
        : { field: 'design', from: 'as it is', to: 'as it was' },
    );
    return [
      {
        row: { ...of, action: 'change back', fields, why: '' },
        deed: { do: 'change record', record: { ...of, what: 'changed', columns } },
      },
    ];
  });
  const off = now.snapshot.templates.flatMap(({ _id: uid, name }): RestoreItem[] =>
    kept.has(uid) ? [] : [takenOff('schedule template', uid, name)],
  );
  return [...off, ...back];
}

/** When it is done is not known yet: the writer of the restore fills it in. */
const takenOff = (kind: 'schedule template' | 'schedule set', uid: string, name: string): RestoreItem => ({
  row: { kind, uid, name, action: 'take off', fields: [], why: '' },
  deed: {
    do: 'change record',
    record: { what: 'changed', kind, uid, name, columns: { deleted_at: [NOW, null] } },
  },
});

/** Stands for the time of the restore in a step. */
export const NOW = 'now';

export function planSets(backup: Snapshot, now: FarmNow): RestoreItem[] {
  const live = new Set(now.snapshot.schedules.map(({ _id }) => _id));
  const kept = new Set(backup.schedules.map(({ _id }) => _id));
  const back = backup.schedules.flatMap((set): RestoreItem[] => {
    const { _id: uid, name } = set;
    const of = { kind: 'schedule set', uid, name } as const;
    if (live.has(uid)) return [];
    const row: RestoreItem['row'] = { ...of, action: 'come back', fields: [], why: '' };
    const known = now.sets.get(uid);
    if (!known) return [{ row, deed: { do: 'return set', set } }];
    if (known.isEmpty && set.schedules.length > 0)
      return [
        {
          row: {
            ...row,
            action: 'stay',
            why: 'Its sprinklers were forgotten, 30 days after it left the list.',
          },
          deed: null,
        },
      ];
    const { replacedBy, deletedAt } = known;
    return [
      ...(deletedAt
        ? [
            {
              row,
              deed: {
                do: 'change record',
                record: { ...of, what: 'changed', columns: { deleted_at: [null, deletedAt] } },
              },
            } satisfies RestoreItem,
          ]
        : []),
      ...(replacedBy
        ? [
            {
              row: { ...row, why: `It stands beside ${replacedBy.name} again, which took its place.` },
              deed: {
                do: 'change record',
                record: {
                  what: 'changed',
                  kind: 'schedule set',
                  uid: replacedBy.uid,
                  name: replacedBy.name,
                  columns: { replaces: [null, replacedBy.replaces] },
                },
              },
            } satisfies RestoreItem,
          ]
        : []),
    ];
  });
  const off = now.snapshot.schedules.flatMap(({ _id: uid, name }): RestoreItem[] => {
    if (kept.has(uid)) return [];
    const inUse = now.sets.get(uid)?.inUse ?? null;
    if (inUse !== null)
      return [
        { row: { kind: 'schedule set', uid, name, action: 'stay', fields: [], why: inUse }, deed: null },
      ];
    return [takenOff('schedule set', uid, name)];
  });
  return [...back, ...off];
}

export function planInputs(backup: Snapshot, now: FarmNow): RestoreItem[] {
  const live = new Map(now.snapshot.inputsAndRelays.map((io) => [io.uid, io.settings]));
  const kept = new Map(backup.inputsAndRelays.map((io) => [io.uid, io.settings]));
  return backup.gateways.flatMap(({ _id: uid, name }): RestoreItem[] => {
    // Nobody had set any.
    const settings = kept.get(uid) ?? defaultIoSettings();
    const is = live.get(uid);
    const was = withoutOverrides(settings);
    // Of a gateway that comes back they are there again with it, as it left.
    if (is === undefined || isSame(was, is)) return [];
    const of = { kind: 'inputs and relays', uid, name } as const;
    const fields = [{ field: 'settings', from: 'as they are', to: 'as they were' }];
    return [
      {
        row: { ...of, action: 'change back', fields, why: '' },
        deed: {
          do: 'change record',
          record: { ...of, what: 'changed', columns: { settings: [was, is] } },
        },
      },
    ];
  });
}
