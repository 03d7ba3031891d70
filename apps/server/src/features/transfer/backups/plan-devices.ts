import type { DeviceRow } from '../../../db/schema.ts';
import type { Step } from '../../changes/change-batch.ts';
import { isSame } from '../../changes/change-log.ts';
import { breathe, mapInTurns } from '../../../jobs/in-turns.ts';
import type { FarmNow } from './farm-now.ts';
import type { RestoreItem } from './plan-restore.ts';
import { type Hardware, planHardware } from './plan-hardware.ts';
import { devicesOf, type Kept, type Snapshot } from './snapshot.ts';

/** What a unit was told by a command is so in the unit: a record that says otherwise would be wrong. */
export const COMMANDED = new Set(['commsMode', 'reconfigure', 'reconfigureAt', 'isLeaving']);

type Steps = Record<string, Step>;

const KEY_ENDED = 'Make a new key for it: its own has ended.';

/** Devices as they were: changed back, back on the farm, or taken off. Gateways come first, units follow them. */
export async function planDevices(backup: Snapshot, now: FarmNow): Promise<RestoreItem[]> {
  await breathe();
  const kept = devicesOf(backup);
  await breathe();
  const uids = new Set(kept.map(({ _id }) => _id));
  const live = new Map(devicesOf(now.snapshot).map((device) => [device._id, device]));
  await breathe();
  const hardware = planHardware(kept, now);
  await breathe();
  const context = {
    now,
    uids,
    groups: new Set(backup.groups.map(({ _id }) => _id)),
    names: new Map([...now.devices.values()].map(({ id, name }) => [id, name])),
    hardware,
    backup,
  };
  await breathe();
  const added = [...live.values()].filter(({ _id }) => !uids.has(_id));
  const back = await mapInTurns(kept, (device) => planDevice(device, live.get(device._id), context));
  return [...back.flat(), ...added.flatMap((device) => takeOff(device, now))];
}

interface Context {
  readonly now: FarmNow;
  /** Of the devices of the backup. */
  readonly uids: ReadonlySet<string>;
  /** Of its groups. */
  readonly groups: ReadonlySet<string>;
  readonly names: ReadonlyMap<unknown, string>;
  readonly hardware: Hardware;
  readonly backup: Snapshot;
}

const about = ({ kind, _id: uid, name }: Kept) => ({ kind, uid, name });

function takeOff(device: Kept, now: FarmNow): RestoreItem[] {
  const row = now.devices.get(device._id);
  if (!row) return [];
  const why = device.kind === 'gateway' ? 'Its key ends.' : '';
  return [
    {
      row: { ...about(device), action: 'take off', fields: [], why },
      deed: { do: 'take device off', device: row },
    },
  ];
}

function planDevice(device: Kept, live: Kept | undefined, context: Context): RestoreItem[] {
  const row = context.now.devices.get(device._id);
  const away = row ? context.hardware.away.get(row.uid) : 'It is no longer known.';
  if (!row || away !== undefined)
    return [{ row: { ...about(device), action: 'stay', fields: [], why: away ?? '' }, deed: null }];
  const { columns, settings, whys } = stepsOf(device, row, context);
  if (live && row.kind === 'gateway' && columns['mac']) whys.push(KEY_ENDED);
  const why = whys.join(' ');
  const groups = device.groups.filter((uid) => context.groups.has(uid));
  const of = { id: row.id, uid: row.uid, kind: row.kind, name: device.name };
  const fields = [...namedSteps(columns, context), ...namedSteps(settings, context)];
  if (!live) {
    const key = row.kind === 'gateway' ? ` ${KEY_ENDED}` : '';
    return [
      {
        row: { ...about(device), action: 'come back', fields: [], why: `${why}${key}`.trim() },
        deed: { do: 'put device back', record: { ...of, what: 'deleted', groups, columns, settings } },
      },
    ];
  }
  const isMoved = !isSame(groups, live.groups);
  if (fields.length === 0 && !isMoved)
    return why === '' ? [] : [{ row: { ...about(device), action: 'stay', fields: [], why }, deed: null }];
  const moved = isMoved
    ? [{ field: 'groups', from: namesOf(live.groups, context), to: namesOf(groups, context) }]
    : [];
  return [
    {
      row: { ...about(device), action: 'change back', fields: [...fields, ...moved], why },
      deed: {
        do: 'put device back',
        record: {
          ...of,
          what: 'changed',
          columns,
          settings,
          groups: isMoved ? [groups, [...live.groups]] : undefined,
        },
      },
    },
  ];
}

/** By column and by setting: as it was, and as it is. */
function stepsOf(device: Kept, row: DeviceRow, { now, uids, backup, hardware }: Context) {
  const keeps = hardware.keeping.get(row.uid);
  const whys: string[] = keeps === undefined ? [] : [keeps];
  const decoder = backup.decoders.find(({ uid }) => uid === device._id);
  const isDecoderThere = !decoder?.codec_id || now.codecs.has(decoder.codec_id);
  if (!isDecoderThere) whys.push('Its codec is gone: it stays with the one that it has.');
  const gateway = device.gatewayUID === null ? null : now.devices.get(device.gatewayUID);
  const hasGateway =
    gateway === null || (gateway !== undefined && uids.has(gateway.uid) && !hardware.away.has(gateway.uid));
  if (!hasGateway) whys.push(gateway ? 'Its gateway does not come back.' : 'Its gateway is no longer known.');
  const wanted: Record<string, unknown> = {
    name: device.name,
    description: device.description,
    type: device.type,
    serial_number: keeps === undefined ? device.serialNumber : row.serial_number,
    mac: keeps === undefined ? macOf(device, row, now, whys) : row.mac,
    shares_serial: keeps === undefined ? (device.sharesSerial ?? row.shares_serial) : row.shares_serial,
    lat: device.lat,
    lng: device.lng,
    mapping: device.mapping ?? null,
    gateway_id: hasGateway ? (gateway?.id ?? null) : row.deleted_at === null ? row.gateway_id : null,
    ...(isDecoderThere && {
      builtin_codec: decoder?.builtin_codec ?? null,
      codec_id: decoder?.codec_id ?? null,
      codec_version: decoder?.codec_version ?? null,
    }),
  };
  return {
    columns: stepsBetween(wanted, new Map(Object.entries(row)), Object.keys(wanted)),
    settings: settingSteps(device, row, keeps !== undefined),
    whys,
  };
}

function settingSteps({ settings }: Kept, row: DeviceRow, keeps: boolean): Steps {
  // A place without its unit stays one as long as another device has the unit.
  const isRestored = (name: string) => !COMMANDED.has(name) && !(keeps && name === 'isPlaceholder');
  const names = new Set([...Object.keys(settings), ...Object.keys(row.settings)].filter(isRestored));
  return stepsBetween(settings, new Map(Object.entries(row.settings)), [...names]);
}

function macOf({ macAddress }: Kept, row: DeviceRow, { takenMacs }: FarmNow, whys: string[]): string | null {
  if (!takenMacs.has(macAddress)) return macAddress === '' ? null : macAddress;
  const isLive = row.deleted_at === null;
  whys.push(
    isLive
      ? `Its MAC address ${macAddress} is in use on another farm: it stays with the one that it has.`
      : `It comes back without its MAC address ${macAddress}, which is in use on another farm.`,
  );
  return isLive ? row.mac : null;
}

function stepsBetween(
  wanted: Readonly<Record<string, unknown>>,
  now: ReadonlyMap<string, unknown>,
  names: readonly string[],
): Steps {
  const differing = names.filter((name) => !isSame(wanted[name] ?? null, now.get(name) ?? null));
  return Object.fromEntries(
    differing.map((name): [string, Step] => [name, [wanted[name] ?? null, now.get(name) ?? null]]),
  );
}

/** From what it is to what it was. */
const namedSteps = (steps: Steps, { names }: Context) =>
  Object.entries(steps).map(([field, [was, is]]) =>
    field === 'gateway_id'
      ? { field: 'gateway', from: names.get(is) ?? '', to: names.get(was) ?? '' }
      : { field, from: is, to: was },
  );

const namesOf = (uids: readonly string[], { backup, now }: Context) =>
  uids
    .map((uid) => [...backup.groups, ...now.snapshot.groups].find(({ _id }) => _id === uid)?.name ?? '')
    .toSorted();
