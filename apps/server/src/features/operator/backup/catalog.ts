import type { ClientBase } from 'pg';
import { BackupError, type BackupTable } from './backup-format.ts';

interface CatalogRow {
  name: string;
  kind: 'r' | 'p';
  parent: string | null;
  columns: string[];
  identity: string | null;
  refers_to: string[];
}

/** Tables of extensions and of the migrator itself are not ours to carry. */
const CATALOG = `
  select c.relname as name, c.relkind as kind, parent.relname as parent,
    array(select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
    (select a.attname from pg_attribute a where a.attrelid = c.oid and a.attidentity <> '' limit 1) as identity,
    array(select f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f' and f.oid <> c.oid) as refers_to
  from pg_class c
  left join pg_inherits i on i.inhrelid = c.oid
  left join pg_class parent on parent.oid = i.inhparent
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
    and c.relname not like 'kysely\\_%'
    and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  order by c.relname`;

/** The tables that hold rows, each after those it refers to; a partitioned table is there by its months. */
export async function readCatalog(client: ClientBase): Promise<BackupTable[]> {
  const { rows } = await client.query<CatalogRow>(CATALOG);
  return inOrder(rows.filter(({ kind }) => kind === 'r')).map(toTable);
}

/** All tables, also those without rows of their own and the migrator's. */
export async function allTables(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`,
  );
  return rows.map(({ name }) => name);
}

function toTable({ name, parent, columns, identity }: CatalogRow): BackupTable {
  const month = parent === null ? undefined : monthOf(name, parent);
  return { name, columns, ...(month && { month }), ...(identity && { identity }) };
}

function monthOf(name: string, parent: string): string {
  const found = /^reading_(\d{4})_(\d{2})$/.exec(name);
  if (parent === 'reading' && found) return `${found[1]}-${found[2]}`;
  throw new BackupError(
    `The table ${name} is a part of ${parent} that backups don't know: please report it.`,
  );
}

function inOrder(rows: CatalogRow[]): CatalogRow[] {
  const waiting = new Map(rows.map((row) => [row.name, row]));
  const ordered: CatalogRow[] = [];
  while (waiting.size > 0) {
    const free = [...waiting.values()].filter(
      ({ refers_to }) => !refers_to.some((name) => waiting.has(name)),
    );
    if (free.length === 0) {
      throw new BackupError(`The tables ${[...waiting.keys()].join(', ')} refer to each other in a circle.`);
    }
    for (const row of free) waiting.delete(row.name);
    ordered.push(...free);
  }
  return ordered;
}
