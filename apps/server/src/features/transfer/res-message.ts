import type { PlanRow } from './plan-import.ts';

const SHOWN = 50;

/** "44 imported, 2 skipped#A14-the reason#…": screens make a list of it, and ": " of the first dash of each item. spec 2 §7.5 */
export function resMessage(rows: readonly PlanRow[], done: ReadonlySet<PlanRow>): string {
  const skipped = rows.filter((row) => row.action !== 'same' && !done.has(row));
  const items = skipped.slice(0, SHOWN).map(({ name, line, why }) => {
    const of = name === '' ? `Line ${line}` : name;
    return `${plain(of).replaceAll('-', '‑')}-${plain(why === '' ? 'not ticked' : why)}`;
  });
  const more = skipped.length > SHOWN ? [`…and-${skipped.length - SHOWN} more`] : [];
  return [`${done.size} imported, ${skipped.length} skipped`, ...items, ...more].join('#');
}

const plain = (text: string) => text.replaceAll('#', '♯');
