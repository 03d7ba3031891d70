import { type ReactNode, useState } from 'react';
import { Segmented } from '../../ui/segmented.tsx';
import classes from './files.module.css';

/** Rows that are drawn: who has thousands looks through them by action. */
const SHOWN = 200;
const ALL = 'all';

export interface PlanRowsProps<A extends string, R extends { readonly action: string }> {
  rows: readonly R[];
  counts: Readonly<Record<A, number>>;
  /** In the order in which they are offered. */
  actions: readonly A[];
  labels: Readonly<Record<A, string>>;
  /** What the rows are: "rows". */
  noun: string;
  /** Of the list. */
  label: string;
  children: (row: R) => ReactNode;
}

/** What a plan would do, row by row: all, or those of one action. */
export function PlanRows<A extends string, R extends { readonly action: string }>(
  props: PlanRowsProps<A, R>,
) {
  const { counts, labels, noun, label, children } = props;
  const [action, setAction] = useState<string>(ALL);
  const there = props.actions.filter((one) => counts[one] > 0);
  const rows = props.rows.filter((row) => action === ALL || row.action === action);
  if (props.rows.length === 0) return null;
  return (
    <>
      {there.length > 1 && (
        <Segmented
          aria-label={`${noun.slice(0, 1).toUpperCase()}${noun.slice(1)} that are shown`}
          value={action}
          onChange={setAction}
          data={[
            { value: ALL, label: 'All' },
            ...there.map((one) => ({ value: one as string, label: `${labels[one]} ${counts[one]}` })),
          ]}
        />
      )}
      <ul className={classes.rows} aria-label={label}>
        {rows.slice(0, SHOWN).map(children)}
      </ul>
      {rows.length > SHOWN && (
        <p className={classes.text}>
          …and {(rows.length - SHOWN).toLocaleString('en-NZ')} more {noun}.
        </p>
      )}
    </>
  );
}
