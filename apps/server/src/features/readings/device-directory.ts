import type { Pool } from 'pg';
import type { Timezone } from '@headrace/contract/farms';
import type { FieldMapping } from '@headrace/device/field-mapping';
import type { DeviceKind } from '../../db/schema.ts';
import { UNDO_DAYS } from '../changes/change-batch.ts';

/** What ingest knows of a device and of the farm it is on. */
export interface KnownDevice {
  readonly farmId: number;
  readonly farmUid: string;
  readonly zone: Timezone;
  readonly id: number;
  readonly uid: string;
  readonly mac: string;
  readonly kind: DeviceKind;
  readonly type: number;
  readonly serialNumber: string;
  readonly mapping: FieldMapping | null;
  /** Decodes its payloads; without one the network server has to. */
  readonly codec: KnownCodec | null;
}

export type KnownCodec =
  | { readonly kind: 'builtin'; readonly name: string }
  | {
      readonly kind: 'own';
      readonly id: number;
      readonly name: string;
      readonly version: number;
      /** Why it isn't run any more. */
      readonly off: string | null;
    };

/** A device asked for: on that farm, or with null on whichever farm has the only one of its kind. */
export interface DeviceQuery {
  readonly farmId: number | null;
  readonly mac: string;
  readonly kind: DeviceKind;
}

export type FindDevice = (query: DeviceQuery) => KnownDevice | undefined;

/** The deleted farm that still has such a device, and it alone; null: none, or several. */
export type FindGoneFarm = (query: DeviceQuery) => number | null;

export interface DeviceDirectory {
  /** Reads what isn't known, or not surely still true, in one query. */
  load(queries: Iterable<DeviceQuery>): Promise<FindDevice>;
  /** Whose devices were that no farm has any more. */
  loadGone(queries: readonly DeviceQuery[]): Promise<FindGoneFarm>;
  /** Devices of this farm, or of any, were added, changed or removed: what is known of them is read again. */
  forget(farmId?: number): void;
}

/** A device that was deleted or moved to another farm is noticed after at most this long, on servers that weren't told. */
const TRUSTED_MS = 30_000;

/** A deleted farm comes back within this time, or never. */
const GONE_MS = UNDO_DAYS * 86_400_000;

interface GoneDevice {
  farmId: number;
  mac: string;
  kind: DeviceKind;
}

// From the few farms that were deleted lately, since devices are found by their MAC address only while they are there.
const goneText = `select d.farm_id as "farmId", d.mac, d.kind from farm f join device d on d.farm_id = f.id
  where f.deleted_at > $2 and d.deleted_at = f.deleted_at and d.mac = any($1::text[])`;

interface Entry {
  devices: readonly KnownDevice[];
  readAt: number;
}

/** Remembers what was found and never what wasn't: a device added a moment ago is found with its first message. */
export function createDeviceDirectory(pool: Pool, now: () => Date): DeviceDirectory {
  const entries = new Map<string, Entry>();
  let generation = 0;

  return {
    async load(queries) {
      const time = now().getTime();
      const view = new Map<string, Entry>();
      const missing = new Set<string>();
      for (const query of queries) {
        const entry = entries.get(query.mac);
        if (entry && Math.abs(time - entry.readAt) < TRUSTED_MS && pick(entry.devices, query))
          view.set(query.mac, entry);
        else missing.add(query.mac);
      }
      if (missing.size > 0) for (const [mac, entry] of await read(missing, time)) view.set(mac, entry);
      return (query) => pick(view.get(query.mac)?.devices ?? [], query);
    },
    async loadGone(queries) {
      if (queries.length === 0) return () => null;
      const macs = [...new Set(queries.map(({ mac }) => mac))];
      const values = [macs, new Date(now().getTime() - GONE_MS)];
      const { rows } = await pool.query<GoneDevice>({ name: 'gone-devices', text: goneText, values });
      return ({ mac, kind }) => {
        const [only, ...others] = rows.filter((row) => row.mac === mac && row.kind === kind);
        return only && others.length === 0 ? only.farmId : null;
      };
    },
    forget(farmId) {
      generation += 1;
      for (const [mac, { devices }] of entries)
        if (farmId === undefined || devices.some((device) => device.farmId === farmId)) entries.delete(mac);
    },
  };

  async function read(macs: ReadonlySet<string>, readAt: number): Promise<Map<string, Entry>> {
    const startedIn = generation;
    const fresh = new Map<string, { devices: KnownDevice[]; readAt: number }>();
    for (const mac of macs) fresh.set(mac, { devices: [], readAt });
    for (const device of await readDevices(pool, [...macs])) fresh.get(device.mac)?.devices.push(device);
    for (const [mac, entry] of fresh) {
      // Told to forget while the query was under way: what it read may be older than that.
      if (entry.devices.length > 0 && generation === startedIn) entries.set(mac, entry);
      else entries.delete(mac);
    }
    return fresh;
  }
}

function pick(devices: readonly KnownDevice[], { farmId, kind }: DeviceQuery): KnownDevice | undefined {
  if (farmId !== null) return devices.find((device) => device.farmId === farmId);
  const [only, ...others] = devices.filter((device) => device.kind === kind);
  return others.length === 0 ? only : undefined;
}

interface DeviceRow extends Omit<KnownDevice, 'zone' | 'codec'> {
  builtinCodec: string | null;
  codecId: number | null;
  codecName: string;
  codecVersion: number;
  codecOff: string | null;
  timeZoneId: string;
  rawOffset: number;
  dstOffset: number;
  dstEnabled: boolean;
}

const devicesText = `select d.farm_id as "farmId", f.uid as "farmUid", d.id, d.uid, d.mac, d.kind, d.type,
    d.serial_number as "serialNumber", d.mapping, f.time_zone_id as "timeZoneId", f.raw_offset as "rawOffset",
    f.dst_offset as "dstOffset", f.dst_enabled as "dstEnabled", d.builtin_codec as "builtinCodec", c.id as "codecId",
    c.name as "codecName", coalesce(d.codec_version, c.version) as "codecVersion", c.off_reason as "codecOff"
  from device d join farm f on f.id = d.farm_id
  left join codec c on c.farm_id = d.farm_id and c.id = d.codec_id
  where d.mac = any($1::text[]) and d.deleted_at is null and f.deleted_at is null`;

async function readDevices(pool: Pool, macs: string[]): Promise<KnownDevice[]> {
  const { rows } = await pool.query<DeviceRow>({ name: 'known-devices', text: devicesText, values: [macs] });
  return rows.map((row) => {
    const { timeZoneId, rawOffset, dstOffset, dstEnabled, ...rest } = row;
    const { builtinCodec: _b, codecId: _i, codecName: _n, codecVersion: _v, codecOff: _o, ...device } = rest;
    return { ...device, codec: codecOf(row), zone: { timeZoneId, rawOffset, dstOffset, dstEnabled } };
  });
}

function codecOf(row: DeviceRow): KnownCodec | null {
  if (row.builtinCodec !== null) return { kind: 'builtin', name: row.builtinCodec };
  if (row.codecId === null) return null;
  const { codecId: id, codecName: name, codecVersion: version, codecOff: off } = row;
  return { kind: 'own', id, name, version, off };
}
