import type { ReactNode } from 'react';
import { Button, CloseButton } from '@mantine/core';
import { IconArrowsMove } from '@tabler/icons-react';
import { popupName } from '../../map/marker.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import type { Condition } from '../../ui/tokens.ts';
import classes from './group-map.module.css';

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export interface PopupProps {
  kind: string;
  name: string;
  under: string;
  condition: Condition;
  onClose: () => void;
  children: ReactNode;
}

/** A popup's head with its way out, and what it says. */
export function Popup({ kind, name, under, condition, onClose, children }: PopupProps) {
  return (
    <section className={classes.popup} aria-label={`${kind} ${name}`}>
      <header>
        <ConditionDot condition={condition} label={null} size={17} />
        <div>
          <h2 title={name}>{popupName(name)}</h2>
          <p>{under}</p>
        </div>
        <CloseButton aria-label="Close popup" size={44} onClick={onClose} />
      </header>
      {children}
    </section>
  );
}

/** Goes on to moving it; nothing where it may not be moved. */
export function MoveButton({ name, onMove }: { name: string; onMove: (() => void) | undefined }) {
  if (!onMove) return null;
  return (
    <Button
      variant="default"
      mih={44}
      leftSection={<IconArrowsMove size={17} stroke={1.7} aria-hidden="true" />}
      aria-label={`Move ${name}`}
      onClick={onMove}
    >
      Move
    </Button>
  );
}
