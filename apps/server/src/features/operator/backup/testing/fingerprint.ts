import pg from 'pg';

export interface Fingerprint {
  /** Rows and MD5 over the text of all rows, as the database itself counts them. */
  tables: Record<string, string>;
  /** Last value of every counter. */
  counters: Record<string, string | null>;
}

/** What a database holds, worked out by SQL alone; when migrations ran is left out. */
export async function fingerprint(url: string): Promise<Fingerprint> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("set timezone = 'UTC'");
    const { rows: names } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and relname not like 'kysely\\_%' order by 1`,
    );
    const tables: Record<string, string> = {};
    for (const { name } of names) {
      const { rows } = await client.query<{ print: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(t::text, E'\\n' order by t::text)), '') as print from "${name}" t`,
      );
      tables[name] = rows[0]?.print ?? '';
    }
    const { rows: sequences } = await client.query<{ name: string; value: string | null }>(
      "select sequencename as name, last_value::text as value from pg_sequences where schemaname = 'public'",
    );
    return { tables, counters: Object.fromEntries(sequences.map(({ name, value }) => [name, value])) };
  } finally {
    await client.end();
  }
}
