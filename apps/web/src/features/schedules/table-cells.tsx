import { memo } from 'react';
import { clockText } from '@headrace/contract/rules/schedule/clock-text';
import { gapText, minutesText, type TableCell } from '@headrace/contract/rules/schedule/table-columns';
import { foldText } from '../../ui/fold-text.ts';
import type { ScheduleTableProps } from './schedule-table.tsx';
import classes from './schedule-table.module.css';

interface CellsProps {
  cells: readonly TableCell[];
  labelledBy: string;
  /** As `foldText` leaves it; those that have it in their names are marked. */
  sought: string;
  onOpen: ScheduleTableProps['onOpen'];
}

/** The waterings of a line and the gaps between them, under a heading for each day of the cycle. */
export const TableCells = memo(function TableCells({ cells, labelledBy, sought, onOpen }: CellsProps) {
  return (
    <ol className={`${classes.cells} num`} aria-labelledby={labelledBy}>
      {withKeys(cells).map(([key, cell]) => (
        <li key={key} className={classes[cell.kind]} data-found={isSought(cell, sought) || undefined}>
          <Cell cell={cell} onOpen={onOpen} />
        </li>
      ))}
    </ol>
  );
});

/** By what a cell is and its place among its like, not by its time: a minute more changes all times, and rows that stay are quick to draw. */
function withKeys(cells: readonly TableCell[]): (readonly [string, TableCell])[] {
  const counts = new Map<string, number>();
  return cells.map((cell) => {
    const what = cell.kind === 'entry' ? cell.serialNumber : cell.kind;
    const count = (counts.get(what) ?? 0) + 1;
    counts.set(what, count);
    return [`${what} ${count}`, cell] as const;
  });
}

const isSought = (cell: TableCell, sought: string) =>
  sought !== '' && cell.kind === 'entry' && foldText(`${cell.name} ${cell.serialNumber}`).includes(sought);

function Cell({ cell, onOpen }: { cell: TableCell; onOpen: ScheduleTableProps['onOpen'] }) {
  if (cell.kind === 'day') return `Cycle ${cell.day}`;
  if (cell.kind === 'gap') return gapText(cell.minutes);
  const text = (
    <>
      {clockText(cell.start)} <b>{cell.name}</b>{' '}
      <span className={classes.minutes}>{minutesText(cell.minutes)}</span>
    </>
  );
  if (!onOpen) return text;
  return (
    <button type="button" className={classes.open} onClick={() => onOpen(cell.serialNumber)}>
      {text}
    </button>
  );
}
