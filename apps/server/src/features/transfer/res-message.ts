import type { PlanItem } from './plan-items.ts';

const SHOWN = 50;

/** "44 imported, 2 skipped#A14-the reason#…": screens make a list of it, and ": " of the first dash of each item. spec 2 §7.5 */
export function resMessage(items: readonly PlanItem[], done: ReadonlyMap<PlanItem, unknown>): string {
  const skipped = items.filter((item) => item.row.action !== 'same' && !done.has(item));
  const parts = skipped.slice(0, SHOWN).map(({ row: { name, line, why } }) => {
    const of = name === '' ? `Line ${line}` : name;
    return `${plain(of).replaceAll('-', '‑')}-${plain(why === '' ? 'not ticked' : why)}`;
  });
  const more = skipped.length > SHOWN ? [`…and-${skipped.length - SHOWN} more`] : [];
  return [`${done.size} imported, ${skipped.length} skipped`, ...parts, ...more].join('#');
}

const plain = (text: string) => text.replaceAll('#', '♯');
