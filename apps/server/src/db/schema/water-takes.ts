import type { Generated } from 'kysely';
import type { Restriction, TakeMetric } from '@headrace/contract/water-takes';
import type { Json, Time } from './column-types.ts';

type MaybeTime = Time | null;

/** Consents to take water, with their meters. */
export interface WaterTakeTables {
  water_take: {
    farm_id: number;
    id: Generated<number>;
    uid: string;
    consent_no: string;
    holder: string;
    council: string;
    source: string;
    /** L/s, m³; null: the consent says nothing of it. */
    max_l_s: number | null;
    max_m3_day: number | null;
    max_m3_7day: number | null;
    max_m3_year: number | null;
    /** YYYY-MM-DD of standard time. */
    valid_from: string | null;
    valid_to: string | null;
    restriction_note: string;
    restrictions: Json<Restriction[]>;
    version: number;
    updated_at: Time;
  };
  take_meter: {
    farm_id: number;
    id: Generated<number>;
    uid: string;
    take_id: number;
    device_id: number;
    metric: TakeMetric;
    council_site: string;
    measure_name: string;
    starts_at: Time;
    ends_at: MaybeTime;
    verified_on: string | null;
    next_verification: string | null;
    pipe: 'full' | 'open';
    m3_per_unit: number;
    is_by_volume: boolean;
  };
  /** What people read off a meter. */
  take_reading: {
    farm_id: number;
    id: Generated<number>;
    uid: string;
    meter_id: number;
    at: Time;
    /** m³ */
    register: number;
    note: string;
    account_id: number | null;
  };
  /** Why nothing is known of a time. */
  take_note: {
    farm_id: number;
    take_id: number;
    from_at: Time;
    to_at: Time;
    note: string;
    account_id: number | null;
  };
  /** A day of UTC of a meter, as it was reckoned once. */
  take_meter_day: {
    farm_id: number;
    meter_id: number;
    day: Time;
    /** What it rests on: where that is another one now, it is reckoned anew. */
    print: string;
    stretches: Buffer;
  };
  /** A pack that is made in the queue. */
  take_pack: {
    farm_id: number;
    uid: string;
    take_id: number;
    /** YYYY-MM-DD of standard time, both included. */
    from_day: string;
    to_day: string;
    codes: boolean;
    gaps_left_out: boolean;
    account_id: number | null;
    asked_at: Time;
    job_uid: string;
    /** Null: it isn't made yet. */
    file_name: Generated<string | null>;
    content: Generated<Buffer | null>;
    /** From when to when each, epoch ms. */
    missing: Json<readonly (readonly [number, number])[] | null>;
    kept_until: Time;
  };
}
