import type { Pool } from 'pg';
import type { Worker } from './fair-turns.ts';
import type { HeldPart } from './uplink.ts';
import { readUplink } from './uplink.ts';

/** A stored uplink that waits for its codec. */
export interface DueHeld extends HeldPart {
  readonly due: NonNullable<HeldPart['due']>;
  /** Its place among those of its sensor, from 1. */
  readonly turn: number;
}

const farmsText = `with recursive waiting as (
    (select farm_id from uplink_due order by farm_id limit 1)
    union all
    select (select d.farm_id from uplink_due d where d.farm_id > w.farm_id order by d.farm_id limit 1)
    from waiting w where w.farm_id is not null
  )
  select f.id as "farmId", f.owner_id as "accountId" from waiting w join farm f on f.id = w.farm_id and f.deleted_at is null`;

/** Farms of which something waits, by one look into the index for each. What a deleted farm has waits until it comes back. */
export async function waitingFarms(pool: Pool): Promise<Worker[]> {
  return (await pool.query<Worker>({ name: 'waiting-farms', text: farmsText })).rows;
}

/** At once of a farm: so many of its first ones, and so many bytes, but one at least. */
const FIRST = 5000;
const ROWS = 250;
const BYTES = 1024 * 1024;

// New ones come before those that are decoded once more, and each sensor has its turn: a slow codec keeps no other one waiting.
const dueText = `select t.farm_id as "farmId", t.anew, t.uplink_id as "uplinkId", t.device_id as "deviceId", t.run,
    t.turn::int, t.topic, t.key_id as "keyId", t.received_at as "receivedAt", t.payload
  from unnest($1::int[]) as farm (id)
  cross join lateral (
    select d.*, u.topic, u.key_id, u.received_at, u.payload,
      sum(octet_length(u.payload)) over (order by d.anew, d.turn, d.uplink_id) - octet_length(u.payload) as before
    from (
      select *, row_number() over (partition by anew, device_id order by uplink_id) as turn
      from (select * from uplink_due where farm_id = farm.id order by farm_id, anew, uplink_id limit $2) first
      order by anew, turn, uplink_id limit $3
    ) d
    join uplink u on u.farm_id = d.farm_id and u.id = d.uplink_id
  ) t
  where t.before < $4
  order by t.farm_id, t.anew, t.turn, t.uplink_id`;

interface DueRow {
  farmId: number;
  anew: boolean;
  uplinkId: string;
  deviceId: number;
  run: number;
  turn: number;
  topic: string;
  keyId: number | null;
  receivedAt: Date;
  payload: Buffer;
}

/** The next of each of these farms, read as when they came. */
export async function readDue(pool: Pool, farmIds: readonly number[]): Promise<DueHeld[]> {
  const { rows } = await pool.query<DueRow>({
    name: 'due-uplinks',
    text: dueText,
    values: [farmIds, FIRST, ROWS, BYTES],
  });
  return rows.flatMap(heldOf);
}

function heldOf(row: DueRow): DueHeld[] {
  const { farmId, anew, uplinkId, deviceId, run, turn, topic: name, keyId, receivedAt, payload } = row;
  const { topic, parts } = readUplink({ topic: name, payload });
  const [part = { kind: 'problem', reason: 'nothing in it can be read' } as const] = parts;
  const sender =
    keyId === null ? ({ kind: 'broker' } as const) : ({ kind: 'network', farmId, keyId } as const);
  const message = { topic: name, payload, sender, retained: false, receivedAt };
  const due = { farmId, anew, uplinkId, deviceId, run, bytes: payload.length };
  return [{ message, topic, part, due, turn }];
}
