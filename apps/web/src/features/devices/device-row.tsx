import { memo, type MouseEvent, useRef } from 'react';
import { Checkbox } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { editPath } from '../../device-records/device-kinds.ts';
import type { Listed } from '../../device-records/device-record.ts';
import type { ListKind } from './list-kind.ts';
import classes from './device-list.module.css';

export interface DeviceRowProps<T extends Listed> {
  farmUID: string;
  item: T;
  kind: ListKind<T>;
  now: number;
  /** In the list, from 0. */
  place: number;
  /** px below the list's top */
  top: number;
  canEdit: boolean;
  isChosen: boolean;
  onChoose: ((id: string, isRange: boolean) => void) | undefined;
}

/** One device: a row of the table, or a card. */
function Row<T extends Listed>(props: DeviceRowProps<T>) {
  const { farmUID, item, kind, now, place, top, canEdit, isChosen, onChoose } = props;
  const { condition, label } = kind.standing(item, now);
  const isRange = useRef(false);
  return (
    <div
      role="row"
      aria-rowindex={place + 2}
      data-place={place}
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
      data-chosen={isChosen || undefined}
    >
      {onChoose && (
        <div role="cell" className={classes.check}>
          <Checkbox
            aria-label={`Choose ${item.name}`}
            checked={isChosen}
            onClick={(event: MouseEvent) => {
              isRange.current = event.shiftKey;
            }}
            onChange={() => onChoose(item._id, isRange.current)}
          />
        </div>
      )}
      <div role="cell" className={classes.name}>
        {canEdit ? <Link to={editPath(kind.kind, farmUID, item._id)}>{item.name}</Link> : item.name}
      </div>
      <div role="cell" className={classes.standing}>
        <ConditionDot condition={condition} label={null} />
        <span>{label}</span>
      </div>
      {kind.columns.map(({ id, cell, isNumber, onCard }) => (
        <div
          key={id}
          role="cell"
          className={classes.cell}
          data-number={isNumber || undefined}
          data-card={onCard === undefined ? undefined : ''}
        >
          {onCard && <span className={classes.cardWord}>{onCard} </span>}
          {cell(item)}
        </div>
      ))}
    </div>
  );
}

// `memo` forgets the type parameter.
export const DeviceRow = memo(Row) as unknown as typeof Row;
