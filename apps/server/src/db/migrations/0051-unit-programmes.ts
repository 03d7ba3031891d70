import { type Kysely, sql } from 'kysely';

/**
 * What each sprinkler is to water by, and what it holds, from when until when. A farm's current set says what its units are to
 * water by until the next send; what they hold is known where they said a checksum that we know.
 */
const statements = [
  `create table unit_program (
    farm_id int not null,
    device_id int not null,
    set_id int,
    schedule_group text not null default '',
    crc text not null,
    entries jsonb not null,
    cycle_days int not null check (cycle_days between 1 and 366),
    wanted_at timestamptz not null,
    -- The send that asked for it; null: none did.
    command_id int,
    -- The row as it was before that send; null: there was none.
    before jsonb,
    primary key (farm_id, device_id),
    foreign key (farm_id, device_id) references device on delete cascade
  ) with (fillfactor = 70)`,
  `create table unit_held (
    farm_id int not null,
    device_id int not null,
    since timestamptz not null,
    until timestamptz,
    crc text not null,
    -- Null: a schedule that Headrace did not send.
    entries jsonb,
    cycle_days int,
    how text not null check (how in ('said', 'answered')),
    -- Since when it waters no more by what it holds: it was inhibited.
    stopped_at timestamptz,
    primary key (farm_id, device_id, since),
    foreign key (farm_id, device_id) references device on delete cascade,
    check (until is null or until >= since)
  ) with (fillfactor = 70)`,
  'create unique index unit_held_now on unit_held (farm_id, device_id) where until is null',
  // The set that the farm watered by before this send.
  'alter table command add column replaced_set_id int',
];

type Entries = readonly { start: number; duration: number; cycle: number }[];
interface SetUnit {
  farm_id: number;
  device_id: number;
  set_id: number;
  schedule_group: string;
  entries: Entries;
  cycle_days: number;
}

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  const { rows } = await sql<SetUnit>`
    select f.id as farm_id, u.device_id, s.id as set_id, u.schedule_group, u.entries,
      least(366, greatest(1, ceil(coalesce((s.settings->>'cycleLen')::float8, 1440) / 1440)))::int as cycle_days
    from farm f join schedule_set s on s.farm_id = f.id and s.id = f.current_set_id
    join schedule_set_unit u on u.farm_id = s.farm_id and u.set_id = s.id`.execute(db);
  for (let start = 0; start < rows.length; start += 1000)
    await fill(db, rows.slice(start, start + 1000).map(withCrc));
  await sql`insert into unit_held (farm_id, device_id, since, crc, entries, cycle_days, how)
    select f.farm_id, f.device_id, f.at, f.value, p.entries, p.cycle_days, 'said'
    from device_fact f join unit_program p on p.farm_id = f.farm_id and p.device_id = f.device_id and p.crc = f.value
    where f.name = 'ipcCrc'`.execute(db);
}

/** A set knows minutes over its whole cycle, a unit minutes of a day. */
function withCrc(unit: SetUnit) {
  const entries = unit.entries.map(({ start, duration, cycle }) => ({
    start: start % 1440,
    duration,
    cycle,
  }));
  return { ...unit, entries, crc: crcOf(entries) };
}

/** CRC-16/CCITT-FALSE as it was agreed with units at the time: a migration doesn't change with the code. */
function crcOf(entries: Entries): string {
  if (entries.length === 0) return 'D6:DA';
  let crc = 0xffff;
  for (const byte of entries.flatMap(({ start, duration, cycle }) =>
    [start, duration, cycle].flatMap(bytesOf),
  ))
    for (let bit = 7; bit >= 0; bit -= 1) {
      const isOdd = ((crc >> 15) ^ (byte >> bit)) & 1;
      crc = ((crc << 1) & 0xffff) ^ (isOdd ? 0x1021 : 0);
    }
  return bytesOf(crc === 0xd6da ? crc + 1 : crc)
    .map((byte) => byte.toString(16).toUpperCase().padStart(2, '0'))
    .join(':');
}

const bytesOf = (word: number) => [(word >> 8) & 0xff, word & 0xff];

async function fill(db: Kysely<unknown>, rows: readonly ReturnType<typeof withCrc>[]): Promise<void> {
  await sql`insert into unit_program (farm_id, device_id, set_id, schedule_group, crc, entries, cycle_days, wanted_at)
    select k.farm_id, k.device_id, k.set_id, k.schedule_group, k.crc, k.entries, k.cycle_days, now()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as k (farm_id int, device_id int, set_id int,
      schedule_group text, crc text, entries jsonb, cycle_days int)`.execute(db);
}
