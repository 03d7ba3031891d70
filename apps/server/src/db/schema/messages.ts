import type { ColumnType, Generated } from 'kysely';
import type { CreatedAt, Time } from './column-types.ts';

/** Messages of devices as they came: uplinks, those that were not taken, and how much each farm wrote. */
export interface MessageTables {
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
  /** A time in which we listened to devices without a break. */
  listening: { id: Generated<number>; from_at: Time; to_at: Time };
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
