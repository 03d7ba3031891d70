import { useRef, type CSSProperties, type ReactNode } from 'react';
import { Checkbox } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { PlainButton } from '../../ui/plain-button.tsx';
import { Empty } from '../../ui/state-view.tsx';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { PRINTED_ROWS, useRowsInSight } from '../../ui/use-rows-in-sight.ts';
import { deviceCount } from '../../device-records/device-kinds.ts';
import type { Listed } from '../../device-records/device-record.ts';
import { DeviceRow } from './device-row.tsx';
import type { Column, ListKind } from './list-kind.ts';
import { ListTools } from './list-tools.tsx';
import { nameColumn } from './list-view.ts';
import { type ListView, useListView } from './use-list-view.ts';
import { type Selection, useSelection } from './use-selection.ts';
import classes from './device-list.module.css';
import { wholeText } from '@headrace/contract/rules/number-text';

/** Heights of a row of the table and of a card, px. */
const ROW_PX = 46;
const CARD_PX = 92;

export interface DeviceListProps<T extends Listed> {
  farmUID: string;
  items: readonly T[];
  kind: ListKind<T>;
  /** The person may open devices to edit them. */
  canEdit: boolean;
  /** What can be done with chosen devices; without it none can be chosen. */
  renderBulk?: ((chosen: readonly T[], clear: () => void) => ReactNode) | undefined;
}

/** A farm's devices of one kind: a dense table, or cards where there is little room. */
export function DeviceList<T extends Listed>({
  farmUID,
  items,
  kind,
  canEdit,
  renderBulk,
}: DeviceListProps<T>) {
  const view = useListView(items, kind);
  const selection = useSelection(items, view.shown);
  const chosen = renderBulk ? items.filter(({ _id }) => selection.ids.has(_id)) : [];
  return (
    <>
      <ListTools kind={kind} view={view} total={items.length} />
      {view.shown.length > PRINTED_ROWS && (
        <p className={classes.onPaper}>
          The first {PRINTED_ROWS} of {deviceCount(view.shown.length, kind.kind)} are printed. Narrow the list
          to print the others.
        </p>
      )}
      {view.shown.length === 0 ? (
        <Empty
          title={`No ${kind.kind.one} matches.`}
          action={<PlainButton onClick={view.showAll}>Show all</PlainButton>}
        />
      ) : (
        <Rows
          farmUID={farmUID}
          kind={kind}
          view={view}
          canEdit={canEdit}
          selection={renderBulk ? selection : undefined}
        />
      )}
      {renderBulk && chosen.length > 0 && (
        <div className={classes.chosen} role="region" aria-label="Chosen">
          <span className="num">
            {wholeText(chosen.length)} chosen{hiddenText(view.shown, selection.ids)}
          </span>
          <button type="button" className={classes.clear} onClick={selection.clear}>
            <IconX size={20} stroke={1.9} aria-hidden="true" />
            <span>Clear</span>
          </button>
          {renderBulk(chosen, selection.clear)}
        </div>
      )}
    </>
  );
}

function hiddenText(shown: readonly Listed[], ids: ReadonlySet<string>): string {
  const hidden = ids.size - shown.reduce((count, { _id }) => count + Number(ids.has(_id)), 0);
  return hidden > 0 ? `, ${wholeText(hidden)} of them not shown` : '';
}

interface RowsProps<T extends Listed> {
  farmUID: string;
  kind: ListKind<T>;
  view: ListView<T>;
  canEdit: boolean;
  selection: Selection | undefined;
}

function Rows<T extends Listed>({ farmUID, kind, view, canEdit, selection }: RowsProps<T>) {
  const body = useRef<HTMLDivElement>(null);
  const isMobile = useIsMobile();
  const rowPx = isMobile ? CARD_PX : ROW_PX;
  const { shown, now } = view;
  const places = useRowsInSight(body, { rowPx, count: shown.length, scroller: 'page' });
  const widths = [nameColumn<T>().width, 'minmax(158px, 1.1fr)', ...kind.columns.map(({ width }) => width)];
  const style = {
    '--columns': `${selection ? '44px ' : ''}${widths.join(' ')}`,
    '--row': `${rowPx}px`,
  } as CSSProperties;
  return (
    <div
      role="table"
      aria-label={kind.kind.title}
      aria-rowcount={shown.length + 1}
      className={classes.table}
      style={style}
      data-choosing={selection ? '' : undefined}
    >
      <Head kind={kind} view={view} selection={selection} />
      <div ref={body} role="rowgroup" className={classes.body} style={{ height: shown.length * rowPx }}>
        {places.map((place) => {
          const item = shown[place] as T;
          return (
            <DeviceRow
              key={item._id}
              farmUID={farmUID}
              item={item}
              kind={kind}
              now={now}
              place={place}
              top={place * rowPx}
              canEdit={canEdit}
              isChosen={selection?.ids.has(item._id) ?? false}
              onChoose={selection?.toggle}
            />
          );
        })}
      </div>
    </div>
  );
}

function Head<T extends Listed>({
  kind,
  view,
  selection,
}: Pick<RowsProps<T>, 'kind' | 'view' | 'selection'>) {
  const { shown } = view;
  const chosen = shown.reduce((count, { _id }) => count + Number(selection?.ids.has(_id) ?? false), 0);
  return (
    <div role="row" aria-rowindex={1} className={classes.head}>
      {selection && (
        <div role="columnheader" className={classes.check}>
          <Checkbox
            aria-label="Choose all shown"
            checked={chosen === shown.length}
            indeterminate={chosen > 0 && chosen < shown.length}
            onChange={selection.toggleAll}
          />
          <span className={classes.checkLabels} aria-hidden="true">
            Choose all shown
          </span>
        </div>
      )}
      <SortHead column={nameColumn<T>()} view={view} />
      <div role="columnheader" className={classes.plainHead}>
        {kind.standingLabel ?? 'Status'}
      </div>
      {kind.columns.map((column) => (
        <SortHead key={column.id} column={column} view={view} />
      ))}
    </div>
  );
}

function SortHead<T extends Listed>({ column, view }: { column: Column<T>; view: ListView<T> }) {
  const isBy = view.sort === column.id || view.sort === `-${column.id}`;
  const isTurned = view.sort.startsWith('-');
  const direction = isTurned ? 'descending' : 'ascending';
  const next = isBy && !isTurned ? `-${column.id}` : column.id;
  return (
    <div
      role="columnheader"
      aria-sort={isBy ? direction : 'none'}
      data-number={column.isNumber || undefined}
      className={classes.sortHead}
    >
      <button type="button" onClick={() => view.change({ sort: next })}>
        {column.label}
        {isBy && <span aria-hidden="true">{isTurned ? '↓' : '↑'}</span>}
      </button>
    </div>
  );
}
