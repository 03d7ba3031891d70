import type { PoolClient } from 'pg';
import type { DeadLetter } from './dead-letter.ts';
import type { LetterBounds } from './letter-bounds.ts';
import type { StoredGroup } from './letter-writer.ts';
import { booleanArray, numberArray } from '../../db/sql-arrays.ts';
import type { Replay, UplinkMessage } from './uplink.ts';
import { dayOf } from './usage-writer.ts';

/** A message to be kept, once, however many reasons it has. */
interface Keeping {
  readonly farmId: number;
  readonly letter: DeadLetter;
  heldUntil: Date | null;
  readonly letterIds: string[];
}

/** Keeps the whole messages behind letters, as far as their farms have room. */
export async function keepMessages(
  client: PoolClient,
  groups: readonly StoredGroup[],
  now: Date,
  bounds: LetterBounds,
): Promise<void> {
  const rooms = await roomsOf(client, groups, now, bounds);
  const keeping = chosen(groups, rooms, bounds);
  if (keeping.length === 0) return;
  await insert(client, keeping);
  await countKept(client, keeping, now);
  await dropOldest(client, [...new Set(keeping.map(({ farmId }) => farmId))], bounds.bytesPerFarm);
}

interface Room {
  messages: number;
  bytes: number;
  heldBytes: number;
}

const countText = `insert into farm_usage as u (farm_id, day, letters)
  select farm_id, $2, letters from unnest($1::int[], $3::int[]) as k (farm_id, letters) order by 1
  on conflict (farm_id, day) do update set letters = u.letters + excluded.letters
  returning farm_id as "farmId", kept_messages as "keptMessages", kept_bytes::float8 as "keptBytes"`;
const heldText = `select farm_id as "farmId", sum(bytes)::float8 as bytes from kept_message
  where farm_id = any($1::int[]) and ready_at is not null group by 1`;

/** Counts the letters of the day, and says what room is left; the row stays locked until the commit. */
async function roomsOf(
  client: PoolClient,
  groups: readonly StoredGroup[],
  now: Date,
  bounds: LetterBounds,
): Promise<Map<number, Room>> {
  const letters = new Map<number, number>();
  for (const { first, letters: own } of groups)
    letters.set(
      first.farmId ?? 0,
      (letters.get(first.farmId ?? 0) ?? 0) + own.filter(({ message }) => !message.replay).length,
    );
  const farms = numberArray([...letters.keys()]);
  const used = await client.query<{ farmId: number; keptMessages: number; keptBytes: number }>({
    name: 'count-letters',
    text: countText,
    values: [farms, dayOf(now), numberArray([...letters.values()])],
  });
  const rooms = new Map<number, Room>();
  for (const { farmId, keptMessages, keptBytes } of used.rows)
    rooms.set(farmId, {
      messages: bounds.messagesADay - keptMessages,
      bytes: bounds.bytesADay - keptBytes,
      heldBytes: bounds.heldBytesPerFarm,
    });
  if (groups.every(({ first }) => first.heldUntil === null)) return rooms;
  const held = await client.query<{ farmId: number; bytes: number }>(heldText, [farms]);
  for (const { farmId, bytes } of held.rows) {
    const room = rooms.get(farmId);
    if (room) room.heldBytes -= bytes;
  }
  return rooms;
}

/** What came again and failed again had its room already. */
function chosen(
  groups: readonly StoredGroup[],
  rooms: ReadonlyMap<number, Room>,
  bounds: LetterBounds,
): Keeping[] {
  const keeping = new Map<UplinkMessage, Keeping>();
  for (const { id, kept, letters } of groups) {
    let left = bounds.messagesPerRow - kept;
    for (const letter of letters) {
      const { message, heldUntil } = letter;
      const farmId = letter.farmId ?? 0;
      if (!letter.canComeAgain || (left <= 0 && !message.replay && !heldUntil)) continue;
      let one = keeping.get(message);
      if (!one) {
        if (!message.replay && !take(rooms.get(farmId), message.payload.length, heldUntil !== null)) continue;
        one = { farmId, letter, heldUntil, letterIds: [] };
        keeping.set(message, one);
      }
      if (heldUntil && (!one.heldUntil || heldUntil > one.heldUntil)) one.heldUntil = heldUntil;
      if (one.letterIds.includes(id)) continue;
      one.letterIds.push(id);
      left -= 1;
    }
  }
  return [...keeping.values()];
}

function take(room: Room | undefined, bytes: number, isHeld: boolean): boolean {
  if (!room) return false;
  if (isHeld) {
    if (room.heldBytes < bytes) return false;
    room.heldBytes -= bytes;
    return true;
  }
  if (room.messages < 1 || room.bytes < bytes) return false;
  room.messages -= 1;
  room.bytes -= bytes;
  return true;
}

const idsText = `select nextval(pg_get_serial_sequence('kept_message', 'id')) as id from generate_series(1, $1)`;
const insertText = `insert into kept_message (farm_id, id, received_at, topic, sender, bytes, payload, ready_at)
  select farm_id, id, to_timestamp(ms / 1000), topic, sender::jsonb, octet_length(payload), payload, to_timestamp(ready_ms / 1000)
  from unnest($1::int[], $2::bigint[], $3::float8[], $4::text[], $5::text[], $6::bytea[], $7::float8[])
    as k (farm_id, id, ms, topic, sender, payload, ready_ms)`;
const linkText = `insert into dead_letter_message (farm_id, letter_id, message_id)
  select * from unnest($1::int[], $2::bigint[], $3::bigint[])`;

async function insert(client: PoolClient, keeping: readonly Keeping[]): Promise<void> {
  const { rows } = await client.query<{ id: string }>(idsText, [keeping.length]);
  const ids = rows.map(({ id }) => id);
  const messages = keeping.map(({ letter }) => letter.message);
  await client.query({
    name: 'keep-messages',
    text: insertText,
    values: [
      numberArray(keeping.map(({ farmId }) => farmId)),
      ids,
      numberArray(messages.map(({ receivedAt }) => receivedAt.getTime())),
      messages.map(({ topic }) => topic),
      messages.map(({ sender }) => JSON.stringify(sender)),
      messages.map(({ payload }) => payload),
      numberArray(keeping.map(({ heldUntil }) => heldUntil?.getTime() ?? null)),
    ],
  });
  const links = keeping.flatMap(({ farmId, letterIds }, index) =>
    letterIds.map((letterId) => ({ farmId, letterId, messageId: ids[index] ?? '' })),
  );
  await client.query({
    name: 'link-messages',
    text: linkText,
    values: [
      numberArray(links.map(({ farmId }) => farmId)),
      links.map(({ letterId }) => letterId),
      links.map(({ messageId }) => messageId),
    ],
  });
}

const keptText = `update farm_usage u set kept_messages = u.kept_messages + k.messages, kept_bytes = u.kept_bytes + k.bytes
  from (select farm_id, count(*) as messages, sum(bytes) as bytes from unnest($1::int[], $3::int[]) as n (farm_id, bytes) group by 1) k
  where u.farm_id = k.farm_id and u.day = $2`;

async function countKept(client: PoolClient, keeping: readonly Keeping[], now: Date): Promise<void> {
  const fresh = keeping.filter(({ letter, heldUntil }) => !letter.message.replay && heldUntil === null);
  if (fresh.length === 0) return;
  await client.query({
    name: 'count-kept',
    text: keptText,
    values: [
      numberArray(fresh.map(({ farmId }) => farmId)),
      dayOf(now),
      numberArray(fresh.map(({ letter }) => letter.message.payload.length)),
    ],
  });
}

const oldestText = `delete from kept_message k
  using (select farm_id, id, sum(bytes) over (partition by farm_id order by id desc) as newer from kept_message
    where farm_id = any($1::int[]) and ready_at is null) s
  where k.farm_id = s.farm_id and k.id = s.id and s.newer > $2`;

async function dropOldest(client: PoolClient, farms: number[], bytesPerFarm: number): Promise<void> {
  await client.query({ name: 'drop-oldest', text: oldestText, values: [numberArray(farms), bytesPerFarm] });
}

const again = `select farm_id, message_id, failed from unnest($1::int[], $2::bigint[], $3::boolean[])
  as k (farm_id, message_id, failed)`;
const takenText = `update dead_letter d set count = d.count - k.messages, taken = d.taken + k.taken
  from (select m.letter_id, count(*) as messages, count(*) filter (where not a.failed) as taken
    from (${again}) a join dead_letter_message m using (farm_id, message_id) group by m.letter_id) k
  where d.id = k.letter_id`;
const goneText = `delete from kept_message k using (${again}) a where k.farm_id = a.farm_id and k.id = a.message_id`;

/**
 * What came again is no longer among what was not taken; what of it failed is written anew by the same transaction, with its new reason.
 */
export async function takeOut(client: PoolClient, replays: readonly Replay[]): Promise<void> {
  if (replays.length === 0) return;
  const values = [
    numberArray(replays.map(({ farmId }) => farmId)),
    replays.map(({ messageId }) => messageId),
    booleanArray(replays.map(({ refused }) => refused !== null)),
  ];
  await client.query(takenText, values);
  await client.query(goneText, values);
}
