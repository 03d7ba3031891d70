const NEWLINE = 10;
const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** The rows of PostgreSQL's COPY text by their columns; what is null there is null. */
export async function* copiedRows(
  columns: readonly string[],
  parts: AsyncIterable<Buffer>,
): AsyncGenerator<Record<string, string | null>> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const part of parts) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, part]) : part;
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      const cells = bytes.toString('utf8', from, end).split('\t');
      yield Object.fromEntries(columns.map((column, place) => [column, valueOf(cells[place])]));
      from = end + 1;
    }
    rest = bytes.subarray(from);
  }
}

const valueOf = (cell: string | undefined): string | null =>
  cell === undefined || cell === '\\N'
    ? null
    : cell.replace(/\\(.)/gs, (_, mark: string) => escapes[mark] ?? mark);
