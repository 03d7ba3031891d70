import type { DeviceKind } from '../../../../db/schema.ts';
import { type Backup, readBackup } from '../read-backup.ts';
import { copiedRows } from './copied-rows.ts';

/** A farm as the backup's own rows have it. */
export interface ListedFarm {
  readonly uid: string;
  readonly name: string;
  readonly ownerId: string;
  /** By kind, but for those that were deleted. */
  readonly devices: Readonly<Record<DeviceKind, number>>;
  /** The sensor that has said the most different things, and when it said each last. */
  readonly sensor: { readonly uid: string; readonly times: readonly Date[] } | null;
}

export interface BackupList {
  readonly farms: readonly ListedFarm[];
  /** The ids of owners who may sign in. */
  readonly mayEnter: ReadonlySet<string>;
}

interface Device {
  readonly uid: string;
  readonly kind: DeviceKind;
  readonly times: Date[];
}

type Row = Readonly<Record<string, string | null>>;

/** Reads a backup whole, as it is verified, and what it says itself of its farms: the services of a restored server have to say the same. */
export async function readWithList(path: string): Promise<{ backup: Backup; list: BackupList }> {
  const reader = createListReader();
  const backup = await readBackup(path, async ({ name, columns }, parts) => {
    const take = reader.take[name];
    if (!take) for await (const _ of parts);
    else for await (const row of copiedRows(columns, parts)) take(row);
  });
  return { backup, list: reader.list() };
}

function createListReader() {
  const farms = new Map<string, { uid: string; name: string; ownerId: string }>();
  const mayEnter = new Set<string>();
  /** By farm and id. */
  const devices = new Map<string, Map<string, Device>>();
  /** The device of each series, by farm and id. */
  const series = new Map<string, Device>();
  const take: Record<string, (row: Row) => void> = {
    account({ id, approved, must_change_password: mustChange }) {
      if (id && approved === 't' && mustChange !== 't') mayEnter.add(id);
    },
    farm({ id, uid, name, owner_id: ownerId, deleted_at: deletedAt }) {
      if (id && uid && ownerId && deletedAt === null) farms.set(id, { uid, name: name ?? '', ownerId });
    },
    device({ farm_id: farmId, id, uid, kind, deleted_at: deletedAt }) {
      if (!farmId || !id || !uid || deletedAt !== null) return;
      const ofFarm = devices.get(farmId) ?? new Map<string, Device>();
      devices.set(farmId, ofFarm.set(id, { uid, kind: kind as DeviceKind, times: [] }));
    },
    series({ farm_id: farmId, id, device_id: deviceId }) {
      const device = devices.get(farmId ?? '')?.get(deviceId ?? '');
      if (device?.kind === 'sensor') series.set(`${farmId} ${id}`, device);
    },
    latest({ farm_id: farmId, series_id: seriesId, at }) {
      if (at) series.get(`${farmId} ${seriesId}`)?.times.push(timeOf(at));
    },
  };
  const listed = ([id, farm]: [string, { uid: string; name: string; ownerId: string }]): ListedFarm => {
    const own = [...(devices.get(id)?.values() ?? [])];
    const count = (kind: DeviceKind) => own.filter((device) => device.kind === kind).length;
    const [sensor = null] = own
      .filter(({ times }) => times.length > 0)
      .toSorted((one, other) => other.times.length - one.times.length);
    return {
      ...farm,
      devices: {
        gateway: count('gateway'),
        repeater: count('repeater'),
        sprinkler: count('sprinkler'),
        sensor: count('sensor'),
        poi: count('poi'),
      },
      sensor,
    };
  };
  return { take, list: (): BackupList => ({ farms: [...farms].map(listed), mayEnter }) };
}

/** As a backup has times: `2026-11-20 21:00:00.123+00`. */
const timeOf = (text: string) => new Date(`${text.replace(' ', 'T').replace(/\+00$/, '')}Z`);
