import type { ColumnType, Generated, Insertable, Selectable } from 'kysely';
import type { AccountType } from '@headrace/contract/accounts';
import type { CommandState, UnitState } from '@headrace/contract/command-types';
import type { Address, FarmIcon, WaterApplication } from '@headrace/contract/farms';
import type { IoSettings } from '@headrace/contract/gateway-io';
import type { LevelMemory } from '@headrace/contract/rules/level-use';
import type { WateringSource } from '@headrace/contract/rules/watering-runs';
import type { LatLng } from '@headrace/contract/schemas';
import type { LongJobState } from '@headrace/contract/long-jobs';
import type { SensorSettings } from '@headrace/contract/sensors';
import type { AccessEvent } from '@headrace/contract/sharing';
import type { FieldMapping } from '@headrace/device/field-mapping';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';

/** jsonb: read parsed, written as text. */
type Json<T> = ColumnType<T, string | undefined, string>;
type Time = ColumnType<Date, Date | string, Date | string>;
type CreatedAt = ColumnType<Date, Date | undefined, Date>;

export interface AccountTable {
  id: Generated<number>;
  uid: string;
  email: string;
  name: string;
  type: AccountType;
  password_hash: string | null;
  approved: Generated<boolean>;
  must_change_password: Generated<boolean>;
  mobile: string | null;
  country_code: number | null;
  subscription_valid_until: Time;
  send_sms: Generated<boolean>;
  send_push: Generated<boolean>;
  send_email: Generated<boolean>;
  send_action: Generated<boolean>;
  is_demo: Generated<boolean>;
  notes: Generated<string>;
  newsletter: Generated<boolean>;
  /** An address that takes the place of `email` when the link that went there is followed. */
  pending_email: Generated<string | null>;
  /** Since when the address is known to be this person's. */
  email_confirmed_at: Generated<Date | null>;
  accepted_terms: Generated<string | null>;
  terms_accepted_at: Generated<Date | null>;
  /** The operator's support staff. */
  is_staff: Generated<boolean>;
  /** When a closed account's days of grace end. */
  closes_at: Generated<Date | null>;
  tlm_subscription: Generated<boolean>;
  created_at: CreatedAt;
  updated_at: CreatedAt;
}

/** A key that was mailed; only its hash is kept. */
export interface AccountKeyTable {
  key_hash: Buffer;
  account_id: number;
  purpose: 'confirm-email' | 'reset-password' | 'passwordless' | 'change-email' | 'undo-email';
  /** The address it went to: it proves no other. */
  email: string;
  created_at: Time;
  expires_at: Time;
  used_at: Generated<Date | null>;
}

export interface OutboxTable {
  id: Generated<string>;
  at: Time;
  way: Generated<'mail' | 'sms' | 'push'>;
  recipient: string;
  subject: string;
  body: string;
  html: Generated<string>;
  is_awaited: Generated<boolean>;
  /** Whose it is, where it is somebody's with an account. */
  account_id: Generated<number | null>;
  /** One message of this key by each way to each recipient of an account. */
  dedupe_key: Generated<string | null>;
  /** From then on it is of no use, and not sent. */
  expires_at: Generated<Date | null>;
  state: Generated<'waiting' | 'sent' | 'failed' | 'expired' | 'cancelled'>;
  tries: Generated<number>;
  next_try_at: Generated<Date | null>;
  sent_at: Generated<Date | null>;
  error: Generated<string>;
}

export interface PushDeviceTable {
  id: Generated<number>;
  uid: string;
  account_id: number;
  device_uid: string;
  endpoint: string;
  expires_at: Date | null;
  p256dh: string;
  auth: string;
  address: string;
  user_agent: string;
  created_at: Time;
}

export interface SessionTable {
  uid: Generated<string>;
  token_hash: Buffer;
  account_id: number;
  device_uid: string;
  address: string;
  user_agent: string;
  created_at: Time;
  last_used_at: Time;
  expires_at: Time;
}

export type ShareState = 'pending' | 'accepted' | 'rejected';

/** Of one farm, or of everything an owner has; from the invitation to its end. */
export interface ShareTable {
  id: Generated<number>;
  uid: string;
  owner_id: number;
  /** Null: the whole account, with farms that come later. */
  farm_id: number | null;
  /** Who accepted it. */
  agent_id: number | null;
  /** Where the invitation went, in small letters. */
  email: string;
  contact: Json<ShareContactColumns>;
  state: ShareState;
  template: number;
  /** As the release that wrote them knew rights: read by `toPermissions`. */
  permissions: ColumnType<unknown, string, string>;
  ends_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** When its end by itself was logged and told. */
  ended_at: Generated<Date | null>;
  /** Of the mailed key; it stays when the key was used. */
  key_hash: Generated<Buffer | null>;
  sent_at: Time;
  created_at: Time;
  answered_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  last_used_at: Generated<Date | null>;
}

/** What the owner entered of the person. */
export interface ShareContactColumns {
  name?: string;
  mobile?: string;
  countryCode?: number | null;
  newsletter?: boolean;
  notes?: string;
}

export interface AccessLogTable {
  id: Generated<string>;
  owner_id: number;
  farm_id: number | null;
  farm_name: string;
  actor_id: number | null;
  at: Time;
  what: AccessEvent['what'];
  by_name: string;
  whom: string;
  note: string;
  detail: Json<Record<string, unknown>>;
}

/** Full rights of a staff member on one farm, for a while. */
export interface SupportSessionTable {
  id: Generated<number>;
  account_id: number;
  farm_id: number;
  reason: string;
  opened_at: Time;
  ends_at: Time;
  closed_at: Generated<Date | null>;
}

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

export type DeviceKind = 'gateway' | 'sprinkler' | 'repeater' | 'sensor' | 'poi';

export interface DeviceTable {
  farm_id: number;
  id: Generated<number>;
  uid: string;
  kind: DeviceKind;
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

export interface CommandTable {
  farm_id: number;
  id: Generated<number>;
  uid: string;
  account_id: number | null;
  type: number;
  name: string;
  serial_number: string;
  payload: ColumnType<Record<string, unknown>, string, string>;
  max_open_minutes: number | null;
  hide_notification: boolean;
  result_message: string | null;
  created_at: Time;
  expires_at: Time;
  state: CommandState;
  state_at: Time;
  progress_done: Generated<number | null>;
  progress_total: Generated<number | null>;
  /** Of what lets water run: when it must have begun, by the database's clock. */
  open_by: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** Named by who sent it, so that a tap that is sent twice is one command. */
  request_id: Generated<string | null>;
  /** By gateway. */
  finish: Json<Record<string, unknown>>;
  first_finish: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
  /** Of a send to the whole farm: the set that it watered by before. */
  replaced_set_id: Generated<number | null>;
}

export interface CommandUnitTable {
  farm_id: number;
  command_id: number;
  /** The unit, or the gateway itself. */
  device_id: number;
  gateway_id: number;
  position: number;
  state: UnitState;
  at: Time;
  /** What the gateway answers with, once it was sent. */
  cmd_id: Generated<string | null>;
  /** Of the unit when it was sent. */
  mac: ColumnType<string | null, never, string>;
  entries: ColumnType<ScheduleEntry[] | null, string | null | undefined, string | null>;
  crc: Generated<string | null>;
  note: Generated<string>;
  opened_at: ColumnType<Date | null, never, Date>;
  closes_by: ColumnType<Date | null, never, Date>;
  closed_at: ColumnType<Date | null, never, Date>;
  closed_why: ColumnType<string | null, never, string>;
  lane: number;
  /** Number of the message that it went out with first. */
  seq: Generated<string | null>;
  /** Null: when the command does. */
  expires_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  again_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  sending: Generated<number>;
}

/** How fast a gateway's units have answered. */
export interface GatewayPaceTable {
  farm_id: number;
  gateway_id: number;
  answers: ColumnType<[number, number][], string | undefined, string>;
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

/** A day of a tank's level, as `rules/level-use.ts` counts it. */
export interface LevelDayTable {
  farm_id: number;
  series_id: number;
  /** Start of the farm's day. */
  at: Time;
  /** Readings that the day's rollup held, those of them that could be, and the highest that could: else it is counted anew. */
  stored: number;
  n: number;
  most: number;
  /** mm, by time within the day also of what lies between it and the days beside it. */
  fall: number;
  rise: number;
  /** What is known of the sensor at its end. */
  memory: LevelMemory | null;
}

export interface RollupTable {
  farm_id: number;
  series_id: number;
  /** Start of the farm's hour or day. */
  at: Time;
  /** Valid readings in it; min, max and sum are over these. */
  n: number;
  min: number;
  max: number;
  sum: number;
  /** Sums of drops and of rises from one valid reading to the next, each counted where the later one lies. */
  falls: number;
  rises: number;
  first_at: Time;
  first_value: number;
  last_at: Time;
  last_value: number;
  /** Of a rate, from the first to the last reading: its unit times minutes, and how many minutes of that time are known of. */
  area: number | null;
  covered_min: number | null;
  /** Of a counter or of deltas: the most it gained per minute from one reading to the next, whose later one lies in it. */
  fastest: number | null;
}

export interface Database {
  account: AccountTable;
  session: SessionTable;
  known_device: { account_id: number; device_uid: string; last_sign_in_at: Time };
  sign_in_failure: { id: Generated<string>; at: Time; email: string; address: string; known_device: boolean };
  account_settings: {
    account_id: number;
    data: ColumnType<Record<string, unknown>, string, string>;
    version: number;
    updated_at: CreatedAt;
  };
  account_key: AccountKeyTable;
  idempotency: {
    account_id: number;
    key_hash: Buffer;
    call_id: string;
    fingerprint: Buffer;
    at: Time;
    reply: Buffer | null;
  };
  files_made: {
    account_id: number;
    /** UTC, `2026-11-22`. */
    day: string;
    files: number;
  };
  notification: {
    account_id: number;
    id: Generated<string>;
    uid: string;
    at: Time;
    title: string;
    message: string;
    link: Generated<string>;
    is_read: Generated<boolean>;
    /** One entry of this key in the account's bell. */
    dedupe_key: Generated<string | null>;
  };
  push_device: PushDeviceTable;
  outbox: OutboxTable;
  /** What the operator has set for everyone, and keys that the server made for itself. */
  installation: { name: string; value: Json<unknown>; updated_at: Time };
  /** What the operator did by command. */
  audit: {
    id: Generated<string>;
    at: Time;
    operator: string;
    command: string;
    arguments: string;
    outcome: string;
  };
  page_view: {
    id: Generated<string>;
    at: CreatedAt;
    account_id: number | null;
    device_uid: string;
    key: string;
  };
  farm: FarmTable;
  /** Since when a farm's hours and days are to be made anew, and the last series that is done. */
  level_day: LevelDayTable;
  farm_clock_change: {
    farm_id: number;
    at: Date;
    series_done: Generated<number>;
    /** The clock is as it was: only what is told of flows by time is still to be filled in. */
    flows_only: Generated<boolean>;
  };
  share: ShareTable;
  access_log: AccessLogTable;
  support_session: SupportSessionTable;
  device: DeviceTable;
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
  /** Somebody asked for tank telemetry. */
  tlm_lead: {
    id: Generated<number>;
    uid: string;
    at: Time;
    name: string;
    email: string;
    country_code: number;
    mobile: string;
    farm_name: string;
    tanks: number;
    notes: Generated<string>;
  };
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
  schedule_set: {
    farm_id: number;
    id: Generated<number>;
    uid: string;
    name: string;
    settings: Json<Record<string, unknown>>;
    created_at: CreatedAt;
  };
  schedule_set_unit: {
    farm_id: number;
    set_id: number;
    device_id: number;
    schedule_group: Generated<string>;
    entries: ColumnType<ScheduleEntry[], string, string>;
  };
  /** What a sprinkler is to water by: what was last sent, or is on its way. */
  unit_program: {
    farm_id: number;
    device_id: number;
    set_id: number | null;
    schedule_group: Generated<string>;
    crc: string;
    /** None: it is to hold nothing. */
    entries: Json<ScheduleEntry[]>;
    cycle_days: number;
    wanted_at: Time;
    /** The send that asked for it; null: none did. */
    command_id: number | null;
    /** The row as it was before that send; null: there was none. */
    before: ColumnType<object | null, string | null | undefined, string | null>;
  };
  /** What a sprinkler held from when until when, by its own word or its answer. `until` null: it still does. */
  unit_held: {
    farm_id: number;
    device_id: number;
    since: Time;
    until: ColumnType<Date | null, Date | null | undefined, Date | null>;
    crc: string;
    /** Null: not known what it is; with the checksum of none: whether it is inhibited or holds nothing. */
    entries: ColumnType<ScheduleEntry[] | null, string | null, string | null>;
    cycle_days: number | null;
    how: 'said' | 'answered';
    /** Since when it waters no more by it: it was inhibited. */
    stopped_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  };
  command: CommandTable;
  command_unit: CommandUnitTable;
  gateway_pace: GatewayPaceTable;
  command_step: {
    farm_id: number;
    command_id: number;
    id: Generated<string>;
    at: Time;
    state: string;
    device_id: number | null;
    note: Generated<string>;
  };
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
  registry: {
    serial_number: string;
    mac: string;
    kind: 'ipc' | 'repeater' | 'gateway' | 'sensor';
    type: Generated<number>;
    channel: Generated<number>;
    spfactor: Generated<number>;
  };
  /** The newest of each thing that a device says in words: ipcCrc, mode, polledAt. */
  device_fact: { farm_id: number; device_id: number; name: string; at: Time; value: string };
  codec: CodecTable;
  codec_version: { farm_id: number; codec_id: number; version: number; script: string; created_at: Time };
  /** The newest uplink of a LoRaWAN sensor, and what was made of it. */
  last_uplink: {
    farm_id: number;
    device_id: number;
    at: Time;
    f_port: number;
    f_cnt: string;
    bytes: Buffer | null;
    object: object | null;
    codec: string | null;
    warnings: string[];
    problems: string[];
    /** How long its codec took, ms; null where there was none. */
    took_ms: number | null;
  };
  /** What a network server sent of a sensor with a payload, whole. Only added and deleted. */
  uplink: {
    farm_id: number;
    id: Generated<string>;
    device_id: number;
    /** The network's receive time: that of its readings. */
    at: Time;
    received_at: Time;
    topic: string;
    /** The integration key it came by; null through an outside broker. */
    key_id: number | null;
    /** Of the payload: the same message sent again is the same row. */
    digest: Buffer;
    payload: Buffer;
  };
  /** Uplinks that wait for their codec, new ones first, and with `anew` those that are decoded once more. */
  uplink_due: {
    farm_id: number;
    anew: boolean;
    uplink_id: string;
    device_id: number;
    /** Of decode_anew: what an earlier run left over counts no more. */
    run: Generated<number>;
  };
  /** What a farm's uplinks amount to, so that they are bounded as they are written. */
  uplink_count: {
    farm_id: number;
    kept: Generated<number>;
    kept_bytes: Generated<string>;
    waiting: Generated<number>;
    waiting_bytes: Generated<string>;
  };
  /** The newest time that a sensor's stored uplinks were asked to be decoded once more. */
  decode_anew: {
    farm_id: number;
    device_id: number;
    run: number;
    since: Time;
    asked_at: Time;
    total: number;
    done: Generated<number>;
    /** Uplinks whose values became others. */
    changed: Generated<number>;
    /** Uplinks that couldn't be decoded: their old values stay. */
    failed: Generated<number>;
    /** Of the newest of those. */
    problem: Generated<string | null>;
    /** When its uplinks were put in the queue. */
    begun_at: Generated<Date | null>;
    /** The long job that does it; null where there was nothing to do. */
    job_uid: Generated<string | null>;
    finished_at: Generated<Date | null>;
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
  series: { farm_id: number; id: Generated<number>; device_id: number; metric: string };
  latest: {
    farm_id: number;
    series_id: number;
    at: Date | null;
    value: number | null;
    /** When it was received, where that was before its own time. */
    heard_at: Date | null;
    /** The valid reading of the latest own time, from which the next one counts: perhaps not the one above. */
    valid_at: Date | null;
    valid_value: number | null;
  };
  /** When a sprinkler's valve was open, by what was reported and answered. */
  watering_run: {
    farm_id: number;
    device_id: number;
    id: Generated<string>;
    opened_at: Time;
    opened_how: WateringSource;
    /** The newest word that it was open. */
    open_until: Time;
    closed_at: Date | null;
    closed_how: WateringSource | null;
  };
  reading: { farm_id: number; series_id: number; at: Time; value: number | null };
  reading_hour: RollupTable;
  reading_day: RollupTable;
  /** One reason of one sender about one device, however often it happened. */
  dead_letter: {
    id: Generated<string>;
    /** When it happened last. */
    at: CreatedAt;
    first_at: CreatedAt;
    reason: string;
    /** The reason without what differs from message to message. */
    reason_key: Generated<string>;
    topic: string;
    sender: string;
    /** MAC of the device that it is about; empty where that isn't known. */
    device: Generated<string>;
    /** Null: of no farm that is known. */
    farm_id: number | null;
    /** Messages that were not taken, and those that were after all. */
    count: Generated<string>;
    taken: Generated<string>;
    /** They wait for our clock, and are taken by themselves. */
    is_held: Generated<boolean>;
    /** Size of the newest. */
    bytes: number;
    /** The first 4 KiB of the first. */
    payload: Buffer;
  };
  /** A whole message that was not taken, or not all of it. */
  kept_message: {
    /** 0: of no farm that is known. */
    farm_id: number;
    id: Generated<string>;
    received_at: ColumnType<Date, Date | string, never>;
    topic: string;
    sender: ColumnType<Record<string, unknown>, string, never>;
    bytes: number;
    payload: Buffer;
    /** Held for our clock: from when on it can be taken. */
    ready_at: ColumnType<Date | null, Date | string | null, Date | string | null>;
  };
  dead_letter_message: {
    farm_id: number;
    letter_id: string;
    message_id: string;
  };
  /** What a farm wrote on a day (UTC); farm 0 is what is of no farm that is known. */
  farm_usage: {
    farm_id: number;
    /** `2026-11-22`. */
    day: string;
    readings: Generated<string>;
    /** Readings that were not taken, because the farm or its account had written as many as it may. */
    refused: Generated<string>;
    new_series: Generated<number>;
    letters: Generated<string>;
    kept_messages: Generated<number>;
    kept_bytes: Generated<string>;
    /** What the owner was told, as `{readings: 80}`. */
    told: ColumnType<Partial<Record<string, number>>, string | undefined, string>;
  };
}

export type FarmRow = Selectable<FarmTable>;
export type DeviceRow = Selectable<DeviceTable>;
export type NewDevice = Insertable<DeviceTable>;
export type AccountRow = Selectable<AccountTable>;
export type ShareRow = Selectable<ShareTable>;
