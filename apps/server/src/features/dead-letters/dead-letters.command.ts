import type { DeadLetterRow } from './dead-letters.repo.ts';

const SHOWN_BYTES = 120;

/** For the operator's terminal. Bytes from strangers never reach it unescaped. */
export function formatDeadLetters(rows: readonly DeadLetterRow[]): string {
  return rows.length === 0 ? 'No dead letters.' : rows.map(formatOne).join('\n');
}

function formatOne(row: DeadLetterRow): string {
  const farm = row.farmName === null ? 'no farm' : `${row.farmName} (${row.farmUid})`;
  return [
    `${row.id}  ${row.at.toISOString()}  ${row.count} not taken, ${row.kept} kept, ${row.taken} taken since: ${printable(row.reason)}`,
    `    ${printable(row.topic)}  from ${printable(row.sender)}, ${printable(farm)}, ${row.bytes} bytes`,
    `    ${beginning(row.payload)}`,
  ].join('\n');
}

function beginning(payload: Buffer): string {
  const shown = printable(payload.subarray(0, SHOWN_BYTES).toString('latin1'));
  return payload.length > SHOWN_BYTES ? `${shown}…` : shown;
}

/** Printable ASCII as it is; control characters and all else (escape sequences, right-to-left marks) as \\x or \\u. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}
