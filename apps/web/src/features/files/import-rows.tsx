import type { ImportPlan, ImportRow } from '@headrace/contract/imports';
import { wholeText } from '@headrace/contract/rules/number-text';
import { saveFile } from '../../ui/save-file.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { actionLabels, fieldLabels, kindLabels } from './import-labels.ts';
import { leftOutFile } from './left-out-file.ts';
import { PlanRows } from './plan-rows.tsx';
import { isInstead, isSwap, mayStay, type RowChoice } from './row-choices.ts';
import classes from './files.module.css';

const actions = ['choose', 'left out', 'change', 'add'] as const;

export interface ImportRowsProps {
  plan: ImportPlan;
  /** The file's name. */
  file: string;
  choiceOf: (row: ImportRow) => RowChoice;
  onChoose: (rows: readonly ImportRow[], choice: RowChoice) => void;
}

/** What each row of the file would do, with a tick for those that would do something. */
export const ImportRows = ({ plan: { rows, counts }, file, choiceOf, onChoose }: ImportRowsProps) => (
  <PlanRows
    {...{ rows, counts, actions }}
    labels={actionLabels}
    noun="rows"
    label="Rows of the file"
    renderTools={(shown) => <Tools rows={shown} file={file} onChoose={onChoose} />}
  >
    {(row) => (
      <Row key={row.row} row={row} choice={choiceOf(row)} onChoose={(choice) => onChoose([row], choice)} />
    )}
  </PlanRows>
);

type ToolsProps = { rows: readonly ImportRow[] } & Pick<ImportRowsProps, 'file' | 'onChoose'>;

/** Of those that are shown: of all, or of one action. Who has many to mend takes them along, beside the file. */
function Tools({ rows, file, onChoose }: ToolsProps) {
  const leftOut = rows.filter(({ action }) => action === 'left out');
  const open = rows.filter(({ action }) => action !== 'left out');
  // Of two rows about one unit all can't be ticked.
  const free = open.filter((row) => !isInstead(row));
  const staying = free.filter(mayStay);
  const swaps = free.filter((row) => isSwap(row) && !mayStay(row));
  const ticks = free.filter((row) => !isSwap(row) && !mayStay(row));
  return (
    <div className={classes.tools}>
      <ForMany rows={ticks} text={(all) => `Tick all ${all}`} choice="take" onChoose={onChoose} />
      <ForMany rows={swaps} text={(all) => `Swap all ${all}`} choice="take" onChoose={onChoose} />
      <ForMany rows={staying} text={(all) => `Move all ${all}`} choice="take" onChoose={onChoose} />
      <ForMany rows={staying} text={(all) => `Let all ${all} stay`} choice="stay" onChoose={onChoose} />
      {open.length > 1 && <PlainButton onClick={() => onChoose(open, 'leave')}>Untick all</PlainButton>}
      {leftOut.length > 1 && (
        <PlainButton onClick={() => saveFile(leftOutFile(file, leftOut))}>
          Save the {wholeText(leftOut.length)} left out as CSV
        </PlainButton>
      )}
    </div>
  );
}

interface ForManyProps extends Pick<ImportRowsProps, 'onChoose'> {
  rows: readonly ImportRow[];
  text: (count: string) => string;
  choice: RowChoice;
}

const ForMany = ({ rows, text, choice, onChoose }: ForManyProps) =>
  rows.length > 1 && (
    <PlainButton onClick={() => onChoose(rows, choice)}>{text(wholeText(rows.length))}</PlainButton>
  );

interface RowProps {
  row: ImportRow;
  choice: RowChoice;
  onChoose: (choice: RowChoice) => void;
}

function Row({ row, choice, onChoose }: RowProps) {
  const { line, name, kind, action, why, others = NONE, stay = NONE } = row;
  const title = `${kindLabels[kind] ?? ''} ${name || 'No name'}`.trim();
  const label = `${actionLabels[action]} ${title}`;
  const choices = rowChoices(row);
  return (
    <li className={classes.row} data-action={action}>
      <label className={classes.tick}>
        {action === 'left out' || choices.length > 0 ? (
          <span aria-hidden="true">{choices.length > 0 ? '?' : '–'}</span>
        ) : (
          <input
            type="checkbox"
            aria-label={label}
            checked={choice !== 'leave'}
            onChange={(event) => onChoose(event.currentTarget.checked ? 'take' : 'leave')}
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
        <Fields fields={choice === 'stay' ? stay : row.fields} />
        {others.map((other) => (
          <Fields key={other.name} of={other.name} fields={other.fields} />
        ))}
        {choices.length > 0 && (
          <Segmented
            aria-label={label}
            className={classes.choices}
            value={choice}
            onChange={onChoose}
            data={choices}
          />
        )}
      </div>
    </li>
  );
}

const NONE: never[] = [];

const Fields = ({ of = '', fields }: { of?: string; fields: ImportRow['fields'] }) =>
  fields.length > 0 && (
    <span className={classes.fields}>
      {fields.map(({ field, from, to }) => (
        <span key={field}>
          {of !== '' && `${of}, `}
          {fieldLabels[field] ?? field}: {from !== '' && <s>{from}</s>} {to === '' ? 'none' : to}
        </span>
      ))}
    </span>
  );

/** Where a tick doesn't say enough. */
function rowChoices(row: ImportRow): { value: RowChoice; label: string }[] {
  if (row.action !== 'choose' || !(isSwap(row) || mayStay(row))) return [];
  const swap = isSwap(row) ? 'Swap' : '';
  const move = mayStay(row) ? 'Move' : '';
  const staysWhole = row.stay?.length === 0;
  return [
    { value: 'leave', label: staysWhole ? 'Stay' : 'Leave out' },
    { value: 'take', label: [swap, move].filter(Boolean).join(' and ') },
    ...(mayStay(row) && !staysWhole
      ? [{ value: 'stay' as const, label: swap ? 'Swap and stay' : 'Stay' }]
      : []),
  ];
}
