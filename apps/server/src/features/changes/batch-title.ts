import type { Undoing } from '@headrace/contract/undo';

/** A batch as it is stored: one that undid another has that one's title behind one of these. */
interface Titled {
  readonly title: string;
  readonly undoes: string | null;
}
const UNDONE = 'Undone: ';
const AGAIN = 'Done again: ';

/** What was done at first, and what became of it: however often it was undone and done again. */
export function titleParts({ title, undoes }: Titled): Pick<Undoing, 'title' | 'was'> {
  if (undoes === null) return { title, was: 'done' };
  const was = title.startsWith(UNDONE) ? 'undone' : 'done again';
  return { title: title.replace(was === 'undone' ? UNDONE : AGAIN, ''), was };
}

/** Of the batch that undoes this one. */
export function titleOfUndo(batch: Titled): string {
  const { title, was } = titleParts(batch);
  return `${was === 'undone' ? AGAIN : UNDONE}${title}`;
}
