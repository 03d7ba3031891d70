import { Modal } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { Timezone } from '@headrace/contract/farms';
import type { MapUnit } from '@headrace/contract/map-units';
import { outOfContactText } from '@headrace/contract/rules/contact';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { exactTime } from '../../ui/format.ts';
import { UnitDot } from '../../device-records/unit-dot.tsx';
import { unitSigns, unitLabel } from '../../device-records/unit-view-model.ts';
import type { Place } from './neighbours.ts';
import classes from './sprinkler-dialog.module.css';

interface DialogHeaderProps {
  unit: MapUnit;
  zone: Timezone | null;
  place: Place;
  onGo: (id: string) => void;
}

/** Which unit it is, how it is, when it was heard, and the way to those beside it. */
export function DialogHeader({ unit, zone, place, onGo }: DialogHeaderProps) {
  const labels = unitLabel(unit);
  return (
    <div className={classes.header}>
      <div className={classes.top}>
        {/* The focus begins here, not on what can be pressed: who opened it by a link hasn't chosen anything yet. */}
        <Modal.Title className={classes.title} tabIndex={-1} data-autofocus>
          <UnitDot {...unitSigns(unit)} label={labels} size={20} />
          {unit.name}
        </Modal.Title>
        <Steps place={place} onGo={onGo} />
        <Modal.CloseButton aria-label="Close dialog" size={44} iconSize={22} />
      </div>
      <p className={classes.subtitle}>
        <span aria-hidden="true">{labels}</span>
        {[unit.serial, ...unit.groups].filter(Boolean).map((text) => (
          <span key={text}>{text}</span>
        ))}
      </p>
      {unit.serial !== '' && <Contact unit={unit} zone={zone} />}
      {place.at === null && place.of > 0 && (
        <p role="status" className={classes.left}>
          {unit.name} isn't in the list as it is filtered now.
        </p>
      )}
    </div>
  );
}

/** Never heard at all: nobody could reach it, poll it as they might. */
function Contact({ unit, zone }: { unit: MapUnit; zone: Timezone | null }) {
  const now = useNow();
  const { statustime, lastpoll } = unit;
  const isSilent = unit.isOutOfContact || statustime === 0;
  return (
    <>
      {isSilent && (
        <p className={classes.silent} role="status">
          {outOfContactText(statustime || null, now)}
        </p>
      )}
      <dl className={classes.times}>
        {statustime !== 0 && <Time name="Last contact" at={statustime} zone={zone} />}
        {lastpoll !== 0 && <Time name="Last poll" at={lastpoll} zone={zone} />}
        {lastpoll === 0 && (
          <div>
            <dt>Last poll</dt>
            <dd>Never</dd>
          </div>
        )}
      </dl>
    </>
  );
}

function Time({ name, at, zone }: { name: string; at: number; zone: Timezone | null }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className="num">{exactTime(at, zone)}</span> <Age at={at} zone={zone} />
      </dd>
    </div>
  );
}

function Steps({ place, onGo }: Pick<DialogHeaderProps, 'place' | 'onGo'>) {
  const { at, of, previous, next } = place;
  if (of === 0) return null;
  return (
    <nav className={classes.steps} aria-label="Sprinklers of the list">
      <Step name="Previous sprinkler" to={previous} onGo={onGo}>
        <IconChevronLeft size={22} aria-hidden="true" />
      </Step>
      <span className="num" aria-live="polite">
        {at === null ? '–' : at} of {of}
      </span>
      <Step name="Next sprinkler" to={next} onGo={onGo}>
        <IconChevronRight size={22} aria-hidden="true" />
      </Step>
    </nav>
  );
}

interface StepProps {
  name: string;
  to: string | null;
  onGo: (id: string) => void;
  children: React.ReactNode;
}

/** At an end it keeps the focus, so that the keyboard can go back from there. */
function Step({ name, to, onGo, children }: StepProps) {
  return (
    <button
      type="button"
      className={classes.step}
      aria-label={name}
      aria-disabled={to === null}
      onClick={() => to !== null && onGo(to)}
    >
      {children}
    </button>
  );
}
