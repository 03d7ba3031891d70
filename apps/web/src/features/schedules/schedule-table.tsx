import { memo, useId, useMemo, useRef, useState } from 'react';
import { TextInput } from '@mantine/core';
import { columnsOf, complexityOf } from '@headrace/contract/rules/complexity';
import { cycleText } from '@headrace/contract/rules/schedule/cycle-text';
import { type TableColumn, tableColumns } from '@headrace/contract/rules/schedule/table-columns';
import type { SetUnit } from '@headrace/contract/schedules';
import { foldText } from '../../ui/fold-text.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { useIsSeen } from '../../ui/use-is-seen.ts';
import { usePrinted } from '../../ui/use-printed.ts';
import { keepFromSaving } from './keep-from-saving.ts';
import { saveTable } from './save-table.ts';
import { TableCells } from './table-cells.tsx';
import classes from './schedule-table.module.css';

export interface ScheduleTableProps {
  /** Of a set, or of a plan. */
  units: readonly SetUnit[];
  /** min */
  cycleLen: number;
  /** The set's or template's: on paper, and of the file. */
  name: string;
  /** Opens a sprinkler; absent: its entries are text. Must stay the same function. */
  onOpen?: ((serialNumber: string) => void) | undefined;
}

/** Fewer lines are found by looking. */
const FIND_FROM = 5;
/** Lines that are open on a phone from the start. */
const OPEN_LINES = 2;
/** A line nearer to the window than this is drawn, px: thousands of entries at once hold up typing beside them. */
const NEAR_PX = 600;
/** As the style sheet has it. */
const ROW_PX = 30;

/** Who waters when: a column a line, in order of time. */
export const ScheduleTable = memo(function ScheduleTable(props: ScheduleTableProps) {
  const { units, cycleLen, name, onOpen } = props;
  const [sought, setSought] = useState('');
  const isMobile = useIsMobile();
  const isPrinted = usePrinted();
  const columns = useMemo(() => tableColumns(units, cycleLen), [units, cycleLen]);
  const folded = foldText(sought);
  const shown = useMemo(() => columns.filter((column) => isFound(column, folded)), [columns, folded]);
  const isFolding = isMobile && !isPrinted;
  return (
    <section className={classes.table} aria-label={`Schedule table of ${name}`}>
      <div className={classes.tools}>
        {columns.length >= FIND_FROM && (
          <TextInput
            className={classes.find}
            size="md"
            aria-label="Find a line or a sprinkler"
            placeholder="Find a line or a sprinkler"
            value={sought}
            onChange={(event) => setSought(event.currentTarget.value)}
            onKeyDown={keepFromSaving}
          />
        )}
        <PlainButton onClick={() => print()}>Print</PlainButton>
        <PlainButton onClick={() => saveTable(props)}>CSV</PlainButton>
      </div>
      <p className={classes.title}>
        {name}, cycle of {cycleText(cycleLen)}
      </p>
      {shown.length === 0 && <p>No line and no sprinkler has this name.</p>}
      <div className={classes.columns} data-columns={columnsOf(complexityOf(columns.length))}>
        {shown.map((column, place) => (
          <Column
            key={column.name}
            column={column}
            sought={folded}
            isWhole={isPrinted}
            isFolding={isFolding}
            isFirst={place < OPEN_LINES || folded !== ''}
            onOpen={onOpen}
          />
        ))}
      </div>
    </section>
  );
});

const isFound = ({ name, cells }: TableColumn, sought: string) =>
  sought === '' ||
  foldText(name).includes(sought) ||
  cells.some(
    (cell) => cell.kind === 'entry' && foldText(`${cell.name} ${cell.serialNumber}`).includes(sought),
  );

interface ColumnProps {
  column: TableColumn;
  sought: string;
  /** Drawn whole, wherever it is: for paper. */
  isWhole: boolean;
  /** Opens and closes: on a phone. */
  isFolding: boolean;
  isFirst: boolean;
  onOpen: ScheduleTableProps['onOpen'];
}

function Column({ column, sought, isWhole, isFolding, isFirst, onOpen }: ColumnProps) {
  const id = useId();
  const element = useRef<HTMLDivElement>(null);
  const isSeen = useIsSeen(element, NEAR_PX);
  const [isOpen, setIsOpen] = useState<boolean | null>(null);
  const { name, sprinklers, cells } = column;
  const isDrawn = !isFolding || (isOpen ?? isFirst);
  const text = (
    <>
      {name}{' '}
      <span className={classes.count}>
        {sprinklers} {sprinklers === 1 ? 'sprinkler' : 'sprinklers'}
      </span>
    </>
  );
  return (
    <div ref={element} className={classes.column}>
      <h3 id={id} className={classes.line}>
        {isFolding ? (
          <button
            type="button"
            className={classes.fold}
            aria-expanded={isDrawn}
            onClick={() => setIsOpen(!isDrawn)}
          >
            {text}
          </button>
        ) : (
          text
        )}
      </h3>
      {isDrawn &&
        (isSeen || isWhole ? (
          <TableCells cells={cells} labelledBy={id} sought={sought} onOpen={onOpen} />
        ) : (
          <div style={{ height: cells.length * ROW_PX }} />
        ))}
    </div>
  );
}
