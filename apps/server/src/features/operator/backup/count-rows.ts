const NEWLINE = 10;

/** In COPY's text each row ends with a newline, and a newline inside a value is written as two characters. */
export function countRows(piece: Buffer): number {
  let rows = 0;
  for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, at + 1)) rows += 1;
  return rows;
}
