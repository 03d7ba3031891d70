import { type Kysely, sql } from 'kysely';

/** Evidence packs of water takes that are made in the queue, until they go. */
const statements = [
  `create table take_pack (
    farm_id int not null,
    uid text not null unique,
    take_id int not null,
    -- YYYY-MM-DD of standard time, both included.
    from_day text not null,
    to_day text not null,
    codes boolean not null,
    gaps_left_out boolean not null,
    account_id int references account on delete set null,
    asked_at timestamptz not null,
    -- The long job that makes it.
    job_uid text not null,
    file_name text,
    content bytea,
    kept_until timestamptz not null,
    primary key (farm_id, uid),
    foreign key (farm_id, take_id) references water_take on delete cascade
  )`,
  'alter table take_pack alter column content set storage external',
  'create index take_pack_take on take_pack (farm_id, take_id, asked_at)',
  'create index take_pack_kept on take_pack (kept_until)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
