import type { RestorePlan, RestoreRow } from '@headrace/contract/backups';
import { fieldName, valueText } from '../changes/change-labels.ts';
import { restoreLabels } from './backup-labels.ts';
import { PlanRows } from './plan-rows.tsx';
import classes from './files.module.css';

const actions = ['stay', 'take off', 'change back', 'come back'] as const;

/** What would become of each record. */
export const RestoreRows = ({ plan: { rows, counts } }: { plan: RestorePlan }) => (
  <PlanRows {...{ rows, counts, actions }} labels={restoreLabels} noun="records" label="Records">
    {(row) => <Row key={`${row.kind} ${row.uid} ${row.action}`} row={row} />}
  </PlanRows>
);

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
