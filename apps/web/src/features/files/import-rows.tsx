import { useState } from 'react';
import type { ImportPlan, ImportRow } from '@headrace/contract/imports';
import { Segmented } from '../../ui/segmented.tsx';
import { actionLabels, fieldLabels } from './import-labels.ts';
import classes from './files.module.css';

/** Rows that are drawn: who has thousands looks through them by action. */
const SHOWN = 200;
const ALL = 'all';

export interface ImportRowsProps {
  plan: ImportPlan;
  isTicked: (row: ImportRow) => boolean;
  onTick: (row: ImportRow, isTicked: boolean) => void;
}

/** What each row of the file would do, with a tick for those that would do something. */
export function ImportRows({ plan, isTicked, onTick }: ImportRowsProps) {
  const [action, setAction] = useState<string>(ALL);
  const there = (['choose', 'left out', 'change', 'add'] as const).filter((one) => plan.counts[one] > 0);
  const rows = plan.rows.filter((row) => action === ALL || row.action === action);
  if (plan.rows.length === 0) return null;
  return (
    <>
      {there.length > 1 && (
        <Segmented
          aria-label="Rows that are shown"
          value={action}
          onChange={setAction}
          data={[
            { value: ALL, label: 'All' },
            ...there.map((one) => ({
              value: one as string,
              label: `${actionLabels[one]} ${plan.counts[one]}`,
            })),
          ]}
        />
      )}
      <ul className={classes.rows} aria-label="Rows of the file">
        {rows.slice(0, SHOWN).map((row) => (
          <Row key={row.row} row={row} isTicked={isTicked(row)} onTick={onTick} />
        ))}
      </ul>
      {rows.length > SHOWN && (
        <p className={classes.text}>…and {(rows.length - SHOWN).toLocaleString('en-NZ')} more rows.</p>
      )}
    </>
  );
}

interface RowProps {
  row: ImportRow;
  isTicked: boolean;
  onTick: ImportRowsProps['onTick'];
}

function Row({ row, isTicked, onTick }: RowProps) {
  const { line, name, kind, action, fields, why } = row;
  const title = `${kind === 'repeater' ? 'Repeater ' : ''}${name || 'No name'}`;
  return (
    <li className={classes.row} data-action={action}>
      <label className={classes.tick}>
        {action === 'left out' ? (
          <span aria-hidden="true">–</span>
        ) : (
          <input
            type="checkbox"
            aria-label={`${actionLabels[action]} ${title}`}
            checked={isTicked}
            onChange={(event) => onTick(row, event.currentTarget.checked)}
          />
        )}
      </label>
      <div className={classes.about}>
        <span className={classes.title}>
          <strong>{title}</strong>
          <span className={classes.badge}>{actionLabels[action]}</span>
          <span className={classes.line}>line {line}</span>
        </span>
        {why !== '' && <span className={classes.why}>{why}</span>}
        {fields.length > 0 && (
          <span className={classes.fields}>
            {fields.map(({ field, from, to }) => (
              <span key={field}>
                {fieldLabels[field] ?? field}: {from !== '' && <s>{from}</s>} {to === '' ? 'none' : to}
              </span>
            ))}
          </span>
        )}
      </div>
    </li>
  );
}
