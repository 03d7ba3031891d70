import type { FirstRows } from '@headrace/contract/rules/files/first-rows';
import { numberText } from './format.ts';
import { useSideways } from './use-sideways.ts';
import classes from './file-rows.module.css';

/** A column with a text of more letters is broken into lines: running text, and no name, number or time. */
const LONG = 24;

/** How a table begins. Where it is wider than its place its cut edge fades, and a line says so. */
export function TablePreview({ file, heads, rows, isCut }: FirstRows & { file: string }) {
  const { ref, isWider, goesOn } = useSideways();
  if (rows.length === 0) return <p className={classes.none}>The table has no rows.</p>;
  const isLong = heads.map((_head, n) => rows.some((row) => (row[n]?.length ?? 0) > LONG));
  return (
    <>
      <section
        ref={ref}
        className={classes.scrolled}
        data-goes-on={goesOn || undefined}
        // Whoever has no finger scrolls it by its keys.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={`Preview of ${file}`}
      >
        <table className="num">
          <caption>{isCut ? `The first ${numberText(rows.length)} rows` : 'All rows'}</caption>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head.replaceAll('_', ' ')}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, nth) => (
              // oxlint-disable-next-line react/no-array-index-key -- rows have no other name, and never change
              <tr key={nth}>
                {heads.map((head, n) => (
                  <td key={head} data-long={isLong[n] || undefined}>
                    {row[n]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {isWider && <p className={classes.none}>Wider than it is shown: scroll it sideways.</p>}
    </>
  );
}
