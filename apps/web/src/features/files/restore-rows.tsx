import { useState } from 'react';
import type { RestorePlan, RestoreRow } from '@headrace/contract/backups';
import { Segmented } from '../../ui/segmented.tsx';
import { fieldName, valueText } from '../changes/change-labels.ts';
import { restoreLabels } from './backup-labels.ts';
import classes from './files.module.css';

/** Rows that are drawn: who has thousands looks through them by what would become of them. */
const SHOWN = 200;
const ALL = 'all';
const actions = ['stay', 'take off', 'change back', 'come back'] as const;

/** What would become of each record. */
export function RestoreRows({ plan }: { plan: RestorePlan }) {
  const [action, setAction] = useState<string>(ALL);
  const there = actions.filter((one) => plan.counts[one] > 0);
  const rows = plan.rows.filter((row) => action === ALL || row.action === action);
  if (plan.rows.length === 0) return null;
  return (
    <>
      {there.length > 1 && (
        <Segmented
          aria-label="Records that are shown"
          value={action}
          onChange={setAction}
          data={[
            { value: ALL, label: 'All' },
            ...there.map((one) => ({
              value: one as string,
              label: `${restoreLabels[one]} ${plan.counts[one]}`,
            })),
          ]}
        />
      )}
      <ul className={classes.rows} aria-label="Records">
        {rows.slice(0, SHOWN).map((row) => (
          <Row key={`${row.kind} ${row.uid} ${row.action}`} row={row} />
        ))}
      </ul>
      {rows.length > SHOWN && (
        <p className={classes.text}>…and {(rows.length - SHOWN).toLocaleString('en-NZ')} more records.</p>
      )}
    </>
  );
}

const kinds: Readonly<Record<string, string>> = { poi: 'point of interest' };

function Row({ row: { kind, name, action, fields, why } }: { row: RestoreRow }) {
  return (
    <li className={classes.row} data-action={action}>
      <div className={classes.about}>
        <span className={classes.title}>
          <strong>{name || 'No name'}</strong>
          <span className={classes.badge}>{restoreLabels[action]}</span>
          <span className={classes.line}>{kinds[kind] ?? kind}</span>
        </span>
        {why !== '' && <span className={classes.why}>{why}</span>}
        {fields.length > 0 && (
          <span className={classes.fields}>
            {fields.map(({ field, from, to }) => (
              <span key={field}>
                {fieldName(field)}: <s>{valueText(field, from)}</s> {valueText(field, to)}
              </span>
            ))}
          </span>
        )}
      </div>
    </li>
  );
}
