-- For a database whose superuser is the server, as Compose made it before 1.7: docs/deploy/container.md. The first user of a cluster
-- stays its superuser for ever: it becomes `postgres`, and the server gets a user of its own and all that it made.
\set ON_ERROR_STOP on
\getenv password HEADRACE_PASSWORD
-- Nobody renames themselves.
create role headrace_change superuser login;
\connect headrace headrace_change
begin;
alter role headrace rename to postgres;
alter role postgres password null;
create role headrace login createdb password :'password';
select format('alter database %I owner to headrace', datname)
  from pg_database where not datistemplate and datname <> 'postgres'
\gexec
-- Objects of ours have numbers from 16384 on. What belongs to a table, such as the sequence of its ids, goes with it.
select format('alter %s owner to headrace', what) from (
    select format('table %s', oid::regclass) as what from pg_class
      where oid >= 16384 and relkind in ('r', 'p', 'v', 'm')
    union all
    select format('sequence %s', oid::regclass) from pg_class c
      where oid >= 16384 and relkind = 'S'
        and not exists (select from pg_depend where objid = c.oid and deptype in ('a', 'i'))
    union all
    select format('routine %s', oid::regprocedure) from pg_proc where oid >= 16384
    union all
    select format('type %s', oid::regtype) from pg_type where oid >= 16384 and typtype in ('d', 'e')
    union all
    select format('schema %I', nspname) from pg_namespace where oid >= 16384 and nspname !~ '^pg_'
  ) own
\gexec
commit;
\connect headrace postgres
drop role headrace_change;
