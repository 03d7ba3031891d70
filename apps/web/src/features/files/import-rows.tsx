import type { ImportPlan, ImportRow } from '@headrace/contract/imports';
import { saveFile } from '../../ui/save-file.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { actionLabels, fieldLabels, kindLabels } from './import-labels.ts';
import { leftOutFile } from './left-out-file.ts';
import { PlanRows } from './plan-rows.tsx';
import classes from './files.module.css';

const actions = ['choose', 'left out', 'change', 'add'] as const;

export interface ImportRowsProps {
  plan: ImportPlan;
  /** The file's name. */
  file: string;
  isTicked: (row: ImportRow) => boolean;
  onTick: (row: ImportRow, isTicked: boolean) => void;
  onTickAll: (rows: readonly ImportRow[], isTicked: boolean) => void;
}

/** What each row of the file would do, with a tick for those that would do something. */
export const ImportRows = ({
  plan: { rows, counts },
  file,
  isTicked,
  onTick,
  onTickAll,
}: ImportRowsProps) => (
  <PlanRows
    {...{ rows, counts, actions }}
    labels={actionLabels}
    noun="rows"
    label="Rows of the file"
    renderTools={(shown) => <Tools rows={shown} file={file} onTickAll={onTickAll} />}
  >
    {(row) => <Row key={row.row} row={row} isTicked={isTicked(row)} onTick={onTick} />}
  </PlanRows>
);

type ToolsProps = { rows: readonly ImportRow[] } & Pick<ImportRowsProps, 'file' | 'onTickAll'>;

/** Of those that are shown: of all, or of one action. Who has many to mend takes them along, beside the file. */
function Tools({ rows, file, onTickAll }: ToolsProps) {
  const tickable = rows.filter(({ action }) => action !== 'left out');
  const leftOut = rows.filter(({ action }) => action === 'left out');
  return (
    <div className={classes.tools}>
      {tickable.length > 1 && (
        <>
          <PlainButton onClick={() => onTickAll(tickable, true)}>
            Tick all {tickable.length.toLocaleString('en-NZ')}
          </PlainButton>
          <PlainButton onClick={() => onTickAll(tickable, false)}>Untick all</PlainButton>
        </>
      )}
      {leftOut.length > 1 && (
        <PlainButton onClick={() => saveFile(leftOutFile(file, leftOut))}>
          Save the {leftOut.length.toLocaleString('en-NZ')} left out as CSV
        </PlainButton>
      )}
    </div>
  );
}

interface RowProps {
  row: ImportRow;
  isTicked: boolean;
  onTick: ImportRowsProps['onTick'];
}

function Row({ row, isTicked, onTick }: RowProps) {
  const { line, name, kind, action, fields, why } = row;
  const title = `${kindLabels[kind] ?? ''} ${name || 'No name'}`.trim();
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
