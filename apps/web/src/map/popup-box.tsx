import type { ReactNode } from 'react';
import { CloseButton } from '@mantine/core';
import { ConditionDot } from '../ui/condition-dot.tsx';
import type { Condition } from '../ui/tokens.ts';
import { popupName } from './marker.ts';
import classes from './popup-box.module.css';

export interface PopupBoxProps {
  kind: string;
  name: string;
  /** What stands under the name. */
  under: string;
  condition: Condition;
  onClose: () => void;
  children: ReactNode;
  /** Its buttons. */
  actions: ReactNode;
}

/** What a marker's popup says: the name with its way out, the facts, and the ways on. */
export function PopupBox({ kind, name, under, condition, onClose, children, actions }: PopupBoxProps) {
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
      <div className={classes.actions}>{actions}</div>
    </section>
  );
}
