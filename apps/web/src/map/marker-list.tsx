import { useRef, useState, type KeyboardEvent } from 'react';
import { UnstyledButton } from '@mantine/core';
import { ConditionDot } from '../ui/condition-dot.tsx';
import type { MapMarker } from './marker.ts';
import classes from './farm-map.module.css';

/** More than these are reached by the page's own list. */
const MOST = 400;

export interface MarkerListProps {
  markers: readonly MapMarker[];
  onFocus: (id: string | null) => void;
  onSelect: (id: string) => void;
}

/** The markers for the keyboard and the screen reader: one stop of Tab, then arrow keys; seen while it has the focus. */
export function MarkerList({ markers, onFocus, onSelect }: MarkerListProps) {
  const [current, setCurrent] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const shown = [...markers].sort((a, b) => a.name.localeCompare(b.name)).slice(0, MOST);
  const at = Math.min(current, shown.length - 1);

  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const to =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? shown.length - 1
          : step === undefined
            ? null
            : at + step;
    if (to === null || to < 0 || to >= shown.length) return;
    event.preventDefault();
    setCurrent(to);
    list.current?.querySelectorAll('button')[to]?.focus();
  };
  if (shown.length === 0) return null;
  return (
    <ul ref={list} className={classes.list} aria-label="Markers on the map. Arrow keys move between them.">
      {shown.map((marker, index) => (
        <li key={marker.id}>
          <UnstyledButton
            className={classes.listItem}
            tabIndex={index === at ? 0 : -1}
            onKeyDown={move}
            onFocus={() => {
              setCurrent(index);
              onFocus(marker.id);
            }}
            onBlur={() => onFocus(null)}
            onClick={() => onSelect(marker.id)}
            aria-label={marker.spoken}
          >
            <ConditionDot condition={marker.condition} label={null} size={12} />
            {marker.name}
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}
