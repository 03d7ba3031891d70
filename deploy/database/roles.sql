-- PostgreSQL's image runs it once, when the database is made: the server owns its database, may make others for trial restores,
-- and is no superuser. The superuser has no password: it gets in from within the container alone.
\getenv password HEADRACE_PASSWORD
create role headrace login createdb password :'password';
create database headrace owner headrace;
alter role postgres password null;
