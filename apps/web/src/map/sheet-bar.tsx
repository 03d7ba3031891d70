import type { ReactNode } from 'react';
import { UnstyledButton } from '@mantine/core';
import { IconList, IconMap2 } from '@tabler/icons-react';
import { higher, type SheetHeight } from './map-sheet.ts';
import classes from './map-page.module.css';

export interface SheetBarProps {
  height: SheetHeight;
  heights: readonly SheetHeight[];
  onHeight: (height: SheetHeight) => void;
  /** The counts. */
  children: ReactNode;
}

/** Below the map, in the thumb's reach, whatever the height: more of the list, or the map alone. */
export function SheetBar({ height, heights, onHeight, children }: SheetBarProps) {
  const more = higher(height, heights);
  const isWhole = more === 'full' && height !== 'summary';
  return (
    <>
      {height === 'summary' && <span className={classes.grip} aria-hidden="true" />}
      <div className={classes.ways}>
        <Way text="Map" isOff={height === 'summary'} onPress={() => onHeight('summary')}>
          <IconMap2 size={20} aria-hidden="true" />
        </Way>
        <Way
          text="List"
          label={isWhole ? 'Whole list' : 'List'}
          isOff={more === null}
          onPress={() => more && onHeight(more)}
        >
          <IconList size={20} aria-hidden="true" />
        </Way>
      </div>
      {children}
    </>
  );
}

interface WayProps {
  text: string;
  /** What it is called where that is not all. */
  label?: string;
  /** There is no more of it. It keeps its place, and the focus. */
  isOff: boolean;
  onPress: () => void;
  children: ReactNode;
}

const Way = ({ text, label = text, isOff, onPress, children }: WayProps) => (
  <UnstyledButton
    className={classes.way}
    aria-label={label}
    aria-disabled={isOff || undefined}
    onClick={isOff ? undefined : onPress}
  >
    {children}
    <span>{text}</span>
  </UnstyledButton>
);
