import { useState } from 'react';
import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { LatLng } from '@headrace/contract/schemas';
import { middleOf, movedCorner, withCorner, type Ring } from './draft.ts';
import { PlaceFields } from './place-fields.tsx';
import classes from './drawing.module.css';

/** Rows shown at first, and how many more at a time: each has two fields. */
const PAGE = 25;

export interface CornerListProps {
  ring: Ring;
  disabled: boolean;
  selected: number | null;
  onSelect: (index: number | null) => void;
  onChange: (ring: LatLng[]) => void;
  onRemove: (index: number) => void;
}

/** The corners as numbers: how the keyboard draws, and how a surveyor's figures are entered. */
export function CornerList(props: CornerListProps) {
  const { ring, disabled, selected, onSelect, onChange, onRemove } = props;
  const [isOpen, setIsOpen] = useState(false);
  const [count, setCount] = useState(PAGE);
  const [added, setAdded] = useState(0);
  const rows = ring.slice(0, count).map((corner, index) => ({ corner, index, number: index + 1 }));
  return (
    <details className={classes.corners} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Points as numbers</summary>
      {isOpen && (
        <>
          <ol>
            {rows.map(({ corner, index, number }) => (
              <li key={number} data-selected={index === selected || undefined}>
                <span className={`${classes.cornerNumber} num`}>{number}</span>
                <PlaceFields
                  place={corner}
                  of={`point ${number}`}
                  onFocus={() => onSelect(index)}
                  disabled={disabled}
                  onChange={(at) => at && onChange(movedCorner(ring, index, at))}
                />
                <ActionIcon
                  variant="subtle"
                  size={44}
                  color="gray"
                  aria-label={`Add a point after point ${number}`}
                  disabled={disabled || ring.length < 2}
                  onClick={() => {
                    const middle = middleOf(ring, index);
                    if (middle) onChange(withCorner(ring, index, middle));
                  }}
                >
                  <IconPlus size={18} aria-hidden="true" />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  size={44}
                  color="gray"
                  aria-label={`Delete point ${number}`}
                  disabled={disabled}
                  onClick={() => onRemove(index)}
                >
                  <IconTrash size={18} aria-hidden="true" />
                </ActionIcon>
              </li>
            ))}
          </ol>
          {ring.length > count && (
            <Button variant="subtle" onClick={() => setCount(count + PAGE * 4)}>
              Show more of {ring.length} points
            </Button>
          )}
          {!disabled && (
            <div className={classes.newCorner}>
              <span>New point</span>
              <PlaceFields
                key={added}
                place={null}
                of="the new point"
                isOptional
                onChange={(at) => {
                  if (!at) return;
                  setAdded(added + 1);
                  setCount(Math.max(count, ring.length + 1));
                  onChange([...ring, at]);
                }}
              />
            </div>
          )}
        </>
      )}
    </details>
  );
}
