import { newUid } from '../db/ids.ts';
import type { Db } from '../db/client.ts';
import type { DeviceRow } from '../db/schema.ts';

export interface BuiltTake {
  uid: string;
  meterUid: string;
  readingUid: string;
  /** Of a pack that is made. */
  packUid: string;
}

/** A take as a person enters it, but for its farm and its meters. */
export const takeEntries = {
  consentNo: 'CRC012345',
  holder: 'Rākaia Downs Ltd',
  council: 'Environment Canterbury',
  source: 'Bore M36/1234',
  maxLps: 20,
  maxM3Day: 1728,
  maxM37Day: null,
  maxM3Year: null,
  validFrom: null,
  validTo: null,
  restrictionNote: '',
  restrictions: [] as object[],
};

/** A meter of a take as a person enters it: a counter of 100 L a pulse. */
export const meterEntry = ({ uid }: Pick<DeviceRow, 'uid'>, values: object = {}) => ({
  deviceUID: uid,
  metric: 'pulsesTotal',
  site: '123456M1',
  measure: 'Compliance Volume',
  startsAt: '2026-01-01T00:00:00.000Z',
  endsAt: null,
  verifiedOn: null,
  nextVerification: null,
  pipe: 'full',
  m3PerUnit: 0.1,
  isByVolume: false,
  ...values,
});

/** A take of 20 L/s with one meter, which counts whole m³ and was read once. */
export async function buildTake(db: Db, meter: DeviceRow, now: Date): Promise<BuiltTake> {
  const [uid, meterUid, readingUid, packUid] = [newUid(now), newUid(now), newUid(now), newUid(now)];
  const farm_id = meter.farm_id;
  const take = await db
    .insertInto('water_take')
    .values({
      farm_id,
      uid,
      consent_no: `CRC${uid.slice(-6)}`,
      holder: '',
      council: '',
      source: '',
      max_l_s: 20,
      max_m3_day: null,
      max_m3_7day: null,
      max_m3_year: null,
      valid_from: null,
      valid_to: null,
      restriction_note: '',
      version: 1,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id } = await db
    .insertInto('take_meter')
    .values({
      farm_id,
      uid: meterUid,
      take_id: take.id,
      device_id: meter.id,
      metric: 'pulsesTotal',
      council_site: '123456M1',
      measure_name: 'Compliance Volume',
      starts_at: '2026-01-01T00:00:00Z',
      ends_at: null,
      verified_on: null,
      next_verification: null,
      pipe: 'full',
      m3_per_unit: 1,
      is_by_volume: false,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('take_reading')
    .values({ farm_id, uid: readingUid, meter_id: id, at: now, register: 5, note: '', account_id: null })
    .execute();
  await db
    .insertInto('take_pack')
    .values({
      farm_id,
      uid: packUid,
      take_id: take.id,
      from_day: '2026-07-01',
      to_day: '2026-07-31',
      codes: true,
      gaps_left_out: false,
      account_id: null,
      asked_at: now,
      job_uid: newUid(now),
      file_name: 'water-take-CRC1.zip',
      content: Buffer.from('PK'),
      kept_until: new Date(now.getTime() + 7 * 86_400_000),
    })
    .execute();
  return { uid, meterUid, readingUid, packUid };
}
