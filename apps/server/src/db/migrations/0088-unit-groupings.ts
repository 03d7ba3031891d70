import { type Kysely, sql } from 'kysely';

/**
 * In which groups a sprinkler was, and on which line, from when on: the diary tells old days by the groups of then, also of waterings
 * that never were. Whatever changes membership, a group's name or a line writes it, by the database: in its transaction, whoever it was.
 */
const statements = [
  `create table unit_grouping (
    farm_id int not null,
    device_id int not null,
    -- Until its next row; the first is told of what was before it as well.
    since timestamptz not null,
    -- By name: uid and name of each.
    groups jsonb not null,
    -- By what was last sent to it.
    line text not null,
    primary key (farm_id, device_id, since)
  )`,
  `create or replace function note_groupings(of_farm int, of_devices int[]) returns void language sql as $$
    insert into unit_grouping (farm_id, device_id, since, groups, line)
    select n.farm_id, n.id, now(), n.groups, n.line
    from (select d.farm_id, d.id, coalesce(p.schedule_group, '') as line,
        coalesce((select jsonb_agg(jsonb_build_object('uid', g.uid, 'name', g.name) order by g.name, g.id)
          from device_group_member m join device_group g on g.farm_id = m.farm_id and g.id = m.group_id
          where m.farm_id = d.farm_id and m.device_id = d.id), '[]') as groups
      from device d left join unit_program p on p.farm_id = d.farm_id and p.device_id = d.id
      where d.farm_id = of_farm and d.id = any(of_devices) and d.kind = 'sprinkler') n
    left join lateral (select o.groups, o.line from unit_grouping o
      where o.farm_id = n.farm_id and o.device_id = n.id order by o.since desc limit 1) l on true
    where coalesce(l.groups, '[]') <> n.groups or coalesce(l.line, '') <> n.line
    on conflict (farm_id, device_id, since) do update set groups = excluded.groups, line = excluded.line;
    -- Before that one that had been there for a day was in none.
    insert into unit_grouping (farm_id, device_id, since, groups, line)
    select o.farm_id, o.device_id, d.created_at, '[]', ''
    from unit_grouping o join device d on d.farm_id = o.farm_id and d.id = o.device_id
    where o.farm_id = of_farm and o.device_id = any(of_devices) and o.since = now() and d.created_at < now() - interval '1 day'
      and not exists (select from unit_grouping e where e.farm_id = o.farm_id and e.device_id = o.device_id and e.since < o.since) $$`,
  `create or replace function note_changed_groupings() returns trigger language plpgsql as $$
    begin
      perform note_groupings(farm_id, array_agg(distinct device_id)) from changed group by farm_id;
      return null;
    end $$`,
  `create trigger note_groupings_added after insert on device_group_member referencing new table as changed for each statement
    execute function note_changed_groupings()`,
  `create trigger note_groupings_removed after delete on device_group_member referencing old table as changed for each statement
    execute function note_changed_groupings()`,
  `create trigger note_groupings_wanted after insert on unit_program referencing new table as changed for each statement
    execute function note_changed_groupings()`,
  `create trigger note_groupings_ended after delete on unit_program referencing old table as changed for each statement
    execute function note_changed_groupings()`,
  `create or replace function note_renamed_groupings() returns trigger language plpgsql as $$
    begin
      perform note_groupings(m.farm_id, array_agg(distinct m.device_id))
      from device_group_member m join changed n on n.farm_id = m.farm_id and n.id = m.group_id
      join before b on b.farm_id = n.farm_id and b.id = n.id and b.name <> n.name group by m.farm_id;
      return null;
    end $$`,
  `create trigger note_groupings_renamed after update on device_group referencing old table as before new table as changed
    for each statement execute function note_renamed_groupings()`,
  `create or replace function note_moved_groupings() returns trigger language plpgsql as $$
    begin
      perform note_groupings(n.farm_id, array_agg(n.device_id))
      from changed n join before b on b.farm_id = n.farm_id and b.device_id = n.device_id
      where b.schedule_group <> n.schedule_group group by n.farm_id;
      return null;
    end $$`,
  `create trigger note_groupings_moved after update on unit_program referencing old table as before new table as changed
    for each statement execute function note_moved_groupings()`,
  // Of those that are in a group or on a line: as they are now.
  `select note_groupings(farm_id, array_agg(id)) from device where kind = 'sprinkler' group by farm_id`,
  `delete from unit_grouping where groups = '[]' and line = ''`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
