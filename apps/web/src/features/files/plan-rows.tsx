import { type ReactNode, useRef, useState } from 'react';
import { PlainButton } from '../../ui/plain-button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import classes from './files.module.css';
import { wholeText } from '@headrace/contract/rules/number-text';

/** Rows that are drawn at first, and more of them at a time. */
const PIECE = 200;
/** More than these have a way past them: each may be a stop for who goes by keys, and is a thumb's length on a phone. */
const FEW = 20;
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
  /** Above the list, for all rows that are looked at. */
  renderTools?: (rows: readonly R[]) => ReactNode;
  children: (row: R) => ReactNode;
}

/** What a plan would do, row by row: all, or those of one action. */
export function PlanRows<A extends string, R extends { readonly action: string }>(
  props: PlanRowsProps<A, R>,
) {
  const { counts, labels, noun, label, renderTools, children } = props;
  const [action, setAction] = useState<string>(ALL);
  const [shown, setShown] = useState(PIECE);
  const end = useRef<HTMLDivElement>(null);
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
            ...there.map((one) => ({
              value: one as string,
              label: `${labels[one]} ${wholeText(counts[one])}`,
            })),
          ]}
        />
      )}
      {renderTools?.(rows)}
      {rows.length > FEW && (
        <p className={classes.tools}>
          <PlainButton onClick={() => end.current?.focus()}>{`To the end of the ${noun}`}</PlainButton>
        </p>
      )}
      <ul className={classes.rows} aria-label={label}>
        {rows.slice(0, shown).map(children)}
      </ul>
      {rows.length > shown && (
        <p className={classes.text}>
          <PlainButton onClick={() => setShown(shown + PIECE)}>
            {`Show ${Math.min(PIECE, rows.length - shown)} more of ${wholeText(rows.length - shown)} ${noun}`}
          </PlainButton>
        </p>
      )}
      <div ref={end} tabIndex={-1} className={classes.end} />
    </>
  );
}
