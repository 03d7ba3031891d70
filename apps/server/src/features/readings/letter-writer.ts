import type { PoolClient } from 'pg';
import type { DeadLetter } from './dead-letter.ts';
import { keepMessages } from './kept-messages.ts';
import { type LetterBounds, letterBounds } from './letter-bounds.ts';
import { booleanArray, numberArray } from '../../db/sql-arrays.ts';

/** Letters of one sender, device and reason. */
export interface LetterGroup {
  readonly first: DeadLetter;
  newest: DeadLetter;
  readonly letters: DeadLetter[];
}

export interface StoredGroup extends LetterGroup {
  readonly id: string;
  /** Messages that are kept of it already. */
  readonly kept: number;
}

/** The beginning of the first message, bytes. */
const BEGINNING = 4096;

/**
 * Writes what was not taken: one row for each reason of a sender about a device, with how often it happened, and the whole messages
 * as far as the farm has room for them. All bounds are by farm, so that nobody's garbage pushes out another's letters.
 */
export async function writeDeadLetters(
  client: PoolClient,
  letters: readonly DeadLetter[],
  now: Date,
  bounds: LetterBounds = letterBounds,
): Promise<void> {
  if (letters.length === 0) return;
  const groups = await withinRows(client, groupsOf(letters), bounds.rowsPerFarm);
  const stored = await writeGroups(client, groups);
  await keepMessages(client, stored, now, bounds);
}

function groupsOf(letters: readonly DeadLetter[]): LetterGroup[] {
  const groups = new Map<string, LetterGroup>();
  for (const letter of letters) {
    const key = keyOfGroup(letter);
    const group = groups.get(key);
    if (!group) groups.set(key, { first: letter, newest: letter, letters: [letter] });
    else {
      group.letters.push(letter);
      if (letter.at > group.newest.at) group.newest = letter;
    }
  }
  // Every writer takes its locks in this order.
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
}

function keyOfGroup({ farmId, sender, device, key, heldUntil }: DeadLetter): string {
  return JSON.stringify([farmId ?? 0, sender, device, key, heldUntil !== null]);
}

const OTHERS = 'other reasons: this farm has too many different ones to list';
const rowsText = `select coalesce(farm_id, 0) as "farmId", count(*)::int as rows from dead_letter
  where coalesce(farm_id, 0) = any($1::int[]) group by 1`;
const knownText = `select coalesce(d.farm_id, 0) as "farmId", d.sender, d.device, d.reason_key as key, d.is_held as "isHeld"
  from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::boolean[]) as k (farm_id, sender, device, reason_key, is_held)
  join dead_letter d on coalesce(d.farm_id, 0) = k.farm_id and d.sender = k.sender and d.device = k.device
    and d.reason_key = k.reason_key and d.is_held = k.is_held`;

/** What would be a farm's row too many is counted on one row of the farm. */
async function withinRows(
  client: PoolClient,
  groups: LetterGroup[],
  rowsPerFarm: number,
): Promise<LetterGroup[]> {
  const farms = [...new Set(groups.map(({ first }) => first.farmId ?? 0))];
  const { rows } = await client.query<{ farmId: number; rows: number }>({
    name: 'letter-rows',
    text: rowsText,
    values: [numberArray(farms)],
  });
  const room = new Map(farms.map((farmId) => [farmId, rowsPerFarm]));
  for (const row of rows) room.set(row.farmId, rowsPerFarm - row.rows);
  if (farms.every((farmId) => (room.get(farmId) ?? 0) >= groups.length)) return groups;
  const known = await client.query<KnownGroup>({
    name: 'known-letters',
    text: knownText,
    values: keysOf(groups),
  });
  const isKnown = new Set(
    known.rows.map(({ farmId, sender, device, key, isHeld }) =>
      JSON.stringify([farmId, sender, device, key, isHeld]),
    ),
  );
  const fitting = groups.flatMap(({ letters, first }) => {
    const farmId = first.farmId ?? 0;
    const left = room.get(farmId) ?? 0;
    if (isKnown.has(keyOfGroup(first))) return letters;
    room.set(farmId, left - 1);
    return left > 0 ? letters : letters.map(amongOthers);
  });
  return groupsOf(fitting);
}

interface KnownGroup {
  farmId: number;
  sender: string;
  device: string;
  key: string;
  isHeld: boolean;
}

function amongOthers(letter: DeadLetter): DeadLetter {
  return { ...letter, reason: OTHERS, key: OTHERS, sender: '', device: '' };
}

function keysOf(groups: readonly LetterGroup[]): unknown[] {
  return [
    numberArray(groups.map(({ first }) => first.farmId ?? 0)),
    groups.map(({ first }) => first.sender),
    groups.map(({ first }) => first.device),
    groups.map(({ first }) => first.key),
    booleanArray(groups.map(({ first }) => first.heldUntil !== null)),
  ];
}

const groupsText = `insert into dead_letter as d
    (farm_id, sender, device, reason_key, is_held, at, first_at, reason, topic, bytes, count, payload)
  select nullif(farm_id, 0), sender, device, reason_key, is_held, to_timestamp(ms / 1000), to_timestamp(first_ms / 1000), reason,
    topic, bytes, count, payload
  from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::float8[], $7::float8[], $8::text[], $9::text[],
    $10::int[], $11::int[], $12::bytea[]) with ordinality
    as k (farm_id, sender, device, reason_key, is_held, ms, first_ms, reason, topic, bytes, count, payload, position)
  order by position
  on conflict (coalesce(farm_id, 0), sender, device, reason_key, is_held) do update set at = greatest(d.at, excluded.at),
    first_at = least(d.first_at, excluded.first_at), reason = excluded.reason, topic = excluded.topic, bytes = excluded.bytes,
    count = d.count + excluded.count
  returning d.id, coalesce(d.farm_id, 0) as "farmId", d.sender, d.device, d.reason_key as key, d.is_held as "isHeld",
    (select count(*)::int from dead_letter_message m where m.letter_id = d.id) as kept`;

async function writeGroups(client: PoolClient, groups: readonly LetterGroup[]): Promise<StoredGroup[]> {
  const { rows } = await client.query<KnownGroup & { id: string; kept: number }>({
    name: 'write-dead-letters',
    text: groupsText,
    values: [
      ...keysOf(groups),
      numberArray(groups.map(({ newest }) => newest.at.getTime())),
      numberArray(groups.map(({ first }) => first.at.getTime())),
      groups.map(({ newest }) => newest.reason),
      groups.map(({ newest }) => newest.topic),
      numberArray(groups.map(({ newest }) => newest.bytes)),
      numberArray(groups.map(({ letters }) => letters.length)),
      groups.map(({ first }) => first.message.payload.subarray(0, BEGINNING)),
    ],
  });
  const stored = new Map(
    rows.map(({ farmId, sender, device, key, isHeld, id, kept }) => [
      JSON.stringify([farmId, sender, device, key, isHeld]),
      { id, kept },
    ]),
  );
  return groups.flatMap((group) => {
    const row = stored.get(keyOfGroup(group.first));
    return row ? [{ ...group, ...row }] : [];
  });
}
