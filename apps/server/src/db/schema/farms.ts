import type { ColumnType, Generated } from 'kysely';
import type { Backup } from '@headrace/contract/backups';
import type { Address, FarmIcon, WaterApplication } from '@headrace/contract/farms';
import type { IoSettings } from '@headrace/contract/gateway-io';
import type { ClockBefore } from '@headrace/contract/rules/farm-time';
import type { LatLng } from '@headrace/contract/schemas';
import type { LongJobState } from '@headrace/contract/long-jobs';
import type { SensorSettings } from '@headrace/contract/sensors';
import type { FieldMapping } from '@headrace/device/field-mapping';
import type { CreatedAt, Json, Time } from './column-types.ts';

export interface FarmTable {
  id: Generated<number>;
  uid: string;
  owner_id: number;
  name: string;
  description: Generated<string>;
  icon: ColumnType<FarmIcon, FarmIcon | undefined, FarmIcon>;
  lat: number;
  lng: number;
  size_ha: Generated<number>;
  boundary: Json<LatLng[]>;
  tank_only: Generated<boolean>;
  v3_site: Generated<boolean>;
  wal_config: ColumnType<WaterApplication, string, string>;
  time_zone_id: string;
  raw_offset: number;
  dst_offset: number;
  dst_enabled: boolean;
  /** By which clocks it went before, oldest first. */
  clock_before: Json<readonly ClockBefore[]>;
  address: Json<Partial<Address>>;
  supplier: Generated<string>;
  irrigation_area_ha: Generated<number>;
  /** Counts its changes. */
  version: Generated<number>;
  /** The set of schedules that the farm waters by. */
  current_set_id: Generated<number | null>;
  is_demo: Generated<boolean>;
  created_at: CreatedAt;
  updated_at: CreatedAt;
  deleted_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface DeviceTable {
  farm_id: number;
  id: Generated<number>;
  uid: string;
  kind: 'gateway' | 'sprinkler' | 'repeater' | 'sensor' | 'poi';
  type: Generated<number>;
  name: string;
  description: Generated<string>;
  serial_number: Generated<string>;
  mac: string | null;
  lat: number | null;
  lng: number | null;
  settings: Json<SensorSettings & Record<string, unknown>>;
  mapping: ColumnType<FieldMapping | null, string | null | undefined, string | null>;
  /** Decodes its payload: one that ships with the server, by name… */
  builtin_codec: ColumnType<string | null, string | null | undefined, string | null>;
  /** …or one of the farm's, its newest version unless another is pinned. */
  codec_id: ColumnType<number | null, number | null | undefined, number | null>;
  codec_version: ColumnType<number | null, number | null | undefined, number | null>;
  /** Whose radio it is heard by; null: the farm's first gateway for sprinklers. */
  gateway_id: Generated<number | null>;
  /** Had the serial number of another unit of the farm when a number became one unit's, and has it still. */
  shares_serial: Generated<boolean>;
  /** Counts its changes. */
  version: Generated<number>;
  created_at: CreatedAt;
  updated_at: CreatedAt;
  deleted_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

export interface CodecTable {
  farm_id: number;
  id: Generated<number>;
  uid: string;
  name: string;
  /** Its newest. */
  version: number;
  /** Since when it isn't run any more, and why. */
  off_at: Time | null;
  off_reason: string | null;
  created_at: Time;
  updated_at: Time;
}

/** Farms, their devices and groups, the log of what people changed, and long jobs. */
export interface FarmTables {
  farm: FarmTable;
  /** Since when a farm's hours and days are to be made anew, and the last series that is done. */
  farm_clock_change: {
    farm_id: number;
    at: Date;
    series_done: Generated<number>;
    /** The clock is as it was: only what is told of flows by time is still to be filled in. */
    flows_only: Generated<boolean>;
  };
  device: DeviceTable;
  device_group: {
    farm_id: number;
    id: Generated<number>;
    uid: string;
    name: string;
    description: Generated<string>;
    is_lateral: Generated<boolean>;
    wal_config: ColumnType<WaterApplication | null, string | null | undefined, string | null>;
    version: Generated<number>;
    created_at: CreatedAt;
    updated_at: CreatedAt;
  };
  device_group_member: { farm_id: number; group_id: number; device_id: number };
  /** In which groups a sprinkler was from when on, and on which line; the database writes it. */
  unit_grouping: {
    farm_id: number;
    device_id: number;
    since: ColumnType<Date, never, never>;
    groups: ColumnType<{ uid: string; name: string }[], never, never>;
    line: ColumnType<string, never, never>;
  };
  gateway_state: {
    farm_id: number;
    device_id: number;
    online: Generated<boolean>;
    state_at: Date | null;
    contact_at: Date | null;
    /** Time of the newest `up/status`. */
    status_at: Date | null;
    boot_id: string | null;
    /** Of the newest hello, which `boot_id` and its list are of. */
    hello_at: Date | null;
    list_rev: Generated<number>;
    acked_rev: Generated<number>;
    /** Number of the last set of schedules that was sent to it. */
    set_rev: Generated<number>;
    /** Number of the last message to it that is numbered. */
    down_seq: Generated<string>;
    /** What it keeps of the agreement's optional members, as its hello says. */
    supports: Json<string[]>;
    /** A stop took back schedules that it holds: it is to be told. */
    withdraws_sets: Generated<boolean>;
    /** By how many seconds the farm's clock is ahead of UTC, as it was told last; null: not since its last hello. */
    told_offset_s: number | null;
    settings: Json<Record<string, unknown>>;
    info: Json<Record<string, unknown>>;
    data: Json<Record<string, unknown>>;
  };
  gateway_key: {
    mac: string;
    farm_id: number;
    device_id: number;
    key_hash: Buffer;
    broker_hash: string | null;
    created_at: CreatedAt;
  };
  /** Inputs and relays of a gateway that somebody has set. */
  gateway_io: {
    farm_id: number;
    device_id: number;
    settings: ColumnType<IoSettings, string, string>;
    /** The last message made of them, numbered by `rev`. */
    told: Generated<string>;
    rev: Generated<number>;
    sent_rev: Generated<number>;
    sent_at: Generated<Date | null>;
    acked_rev: Generated<number>;
    /** Of what people entered. */
    version: Generated<number>;
  };
  integration_key: {
    farm_id: number;
    id: Generated<number>;
    uid: string;
    name: string;
    user_name: string;
    key_hash: Buffer;
    broker_hash: string | null;
    created_at: CreatedAt;
    last_used_at: Date | null;
    deleted_at: Date | null;
  };
  config_update: {
    farm_id: number;
    id: Generated<number>;
    uid: string;
    device_id: number;
    type: number;
    config: ColumnType<Record<string, unknown>, string, string>;
    created_at: CreatedAt;
    processed_at: Date | null;
    /** Through which it goes, when it went last, and until when it may be carried out. */
    gateway_id: Generated<number | null>;
    sent_at: Generated<Date | null>;
    expires_at: Generated<Date | null>;
    /** Why it was not done. */
    error: Generated<string | null>;
  };
  registry: {
    serial_number: string;
    mac: string;
    kind: 'ipc' | 'repeater' | 'gateway' | 'sensor';
    type: Generated<number>;
    channel: Generated<number>;
    spfactor: Generated<number>;
    /** The farm whose word it is; null: the operator's or the manufacturer's. */
    claimed_by: number | null;
  };
  /** The newest of each thing that a device says in words: ipcCrc, mode, polledAt. */
  device_fact: { farm_id: number; device_id: number; name: string; at: Time; value: string };
  codec: CodecTable;
  codec_version: { farm_id: number; codec_id: number; version: number; script: string; created_at: Time };
  change_log: {
    farm_id: number;
    id: Generated<string>;
    at: Time;
    account_id: number | null;
    kind: string;
    uid: string;
    name: string;
    what: string;
    fields: Json<{ field: string; from: unknown; to: unknown }[]>;
    /** Done together with others; the batch may be gone. */
    batch_id: ColumnType<string | null, string | null | undefined, never>;
  };
  /** What was done as one, and how each record was before; kept for as long as it can be undone. */
  change_batch: {
    farm_id: number;
    id: Generated<string>;
    uid: string;
    at: Time;
    account_id: number | null;
    act: string;
    title: string;
    /** gzip of JSON. */
    records: Buffer;
    /** The batch that this one undid. */
    undoes: string | null;
    undone_at: Generated<Date | null>;
    undone_by: Generated<number | null>;
  };
  /** The farm's configuration as it was. */
  farm_backup: {
    farm_id: number;
    id: Generated<number>;
    uid: string;
    description: string;
    created_at: Time;
    /** Null: nobody, or the account is gone. */
    account_id: number | null;
    cause: 'person' | 'night' | 'before';
    revision: string;
    counts: Json<Backup['counts']>;
    /** gzip of JSON. */
    content: Buffer;
    /** Of the JSON. */
    sha256: Buffer;
    /** When it was restored on trial. */
    proved_at: Generated<Date | null>;
    /** Why that failed; '': it didn't. */
    fault: Generated<string>;
  };
  /** What could not be done again and again: the nightly backup (`night`), or the trial of a backup (its uid). */
  farm_backup_failure: {
    farm_id: number;
    what: string;
    since: Time;
    at: Time;
    tries: number;
    reason: string;
  };
  /** Work that takes longer than a call. */
  long_job: {
    farm_id: number;
    id: Generated<string>;
    uid: string;
    /** Who asked for it; null where the account is gone. */
    account_id: number | null;
    type: string;
    payload: Json<unknown>;
    state: Generated<LongJobState>;
    /** From 0 to 1. */
    progress: Generated<number>;
    progress_text: Generated<string>;
    result: ColumnType<unknown, string | undefined, string>;
    error: Generated<string>;
    /** How often it was begun: what an earlier runner still writes counts no more. */
    attempt: Generated<number>;
    failures: Generated<number>;
    asked_at: Time;
    run_after: Time;
    started_at: Generated<Date | null>;
    /** Until when its runner need not be heard, by the database's clock. */
    lease_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
    cancel_asked_at: Generated<Date | null>;
    finished_at: Generated<Date | null>;
    kept_until: Generated<Date | null>;
  };
}
