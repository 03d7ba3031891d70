import { memo, type ReactNode } from 'react';
import { IconChevronDown, IconChevronRight, IconDotsVertical } from '@tabler/icons-react';
import type { Timezone } from '@headrace/contract/farms';
import type { SchedulePreview } from '@headrace/contract/preview';
import type { TimelineLine, TimelineTurn, TimelineUnit, Timeline } from '@headrace/contract/timeline';
import { type Axis, leftOf, place } from './axis.ts';
import type { Band } from './bands.ts';
import { busyText, holdText, lineNote } from './line-labels.ts';
import { barLabel, spokenTurn, unitNote } from './turn-labels.ts';
import classes from './timeline.module.css';

/** What every row is drawn with. `now` in epoch ms. */
export interface Drawing {
  readonly axis: Axis;
  readonly zone: Timezone;
  readonly now: number;
  readonly bands: readonly Band[];
  readonly seams: Timeline['seams'];
  /** When lines would water, where something is tried out. */
  readonly ghosts: SchedulePreview['lines'];
}

interface LineRowProps {
  line: TimelineLine;
  drawing: Drawing;
  isOpen: boolean;
  onToggle: (line: string) => void;
  /** What there is to know of it, and to do. */
  onCard: (line: string) => void;
}

/** When a line is busy, how many sprinklers it has, and what stands out. */
export const LineRow = memo(function LineRow({ line, drawing, isOpen, onToggle, onCard }: LineRowProps) {
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div className={classes.row}>
      <div className={classes.head_}>
        <button
          type="button"
          className={classes.name}
          aria-expanded={isOpen}
          onClick={() => onToggle(line.id)}
        >
          <Chevron size={18} stroke={1.8} aria-hidden="true" />
          <span className={classes.about}>
            <span className={classes.label} title={line.name}>
              {line.name}
            </span>
            <span className={classes.aside} title={lineNote(line)}>
              {lineNote(line)}
            </span>
          </span>
        </button>
        <button
          type="button"
          className={classes.more}
          aria-label={`More of ${line.name}`}
          onClick={() => onCard(line.id)}
        >
          <IconDotsVertical size={18} stroke={1.7} aria-hidden="true" />
        </button>
      </div>
      <Track drawing={drawing} holds={line.holds}>
        {ghostsOf(line.id, drawing).map(({ startAt, endAt }) => (
          <i key={startAt} className={classes.ghost} style={place(drawing.axis, startAt, endAt)} />
        ))}
        {line.busy.map((time) => (
          <button
            key={`${time.sign} ${time.startAt}`}
            type="button"
            tabIndex={-1}
            data-bar={time.startAt}
            data-sign={time.sign}
            className={`${classes.bar_} ${classes.busy}`}
            style={place(drawing.axis, time.startAt, time.endAt)}
            aria-label={busyText(line.name, time, drawing.zone)}
            title={busyText(line.name, time, drawing.zone)}
            onClick={() => onToggle(line.id)}
          />
        ))}
      </Track>
    </div>
  );
});

const ghostsOf = (line: string, { ghosts }: Drawing) => ghosts.find(({ id }) => id === line)?.busy ?? [];

/** A watering, with whose it is. */
export interface OpenedTurn {
  readonly unit: TimelineUnit;
  readonly turn: TimelineTurn;
}

interface UnitRowProps {
  unit: TimelineUnit;
  line: TimelineLine;
  drawing: Drawing;
  onOpen: (opened: OpenedTurn) => void;
}

/** A sprinkler's waterings. */
export const UnitRow = memo(function UnitRow({ unit, line, drawing, onOpen }: UnitRowProps) {
  return (
    <div className={classes.row}>
      <span className={`${classes.name} ${classes.unit}`}>
        <span className={classes.label}>{unit.name}</span>
        <span className={classes.aside}>{unitNote(unit)}</span>
      </span>
      <Track drawing={drawing} holds={line.holds.filter(({ units }) => units === line.units)}>
        {unit.turns.map((turn) => (
          <TurnBar
            key={`${turn.plan} ${turn.sign} ${turn.startAt}`}
            turn={turn}
            unit={unit}
            drawing={drawing}
            onOpen={onOpen}
          />
        ))}
      </Track>
    </div>
  );
});

function TurnBar({ turn, unit, drawing, onOpen }: Omit<UnitRowProps, 'line'> & { turn: TimelineTurn }) {
  const spoken = spokenTurn(unit.name, unit, turn, drawing);
  const text = barLabel(turn, unit, drawing);
  const { startAt, endAt, saidUntil } = turn;
  const isCut = saidUntil !== null && saidUntil < endAt;
  return (
    <button
      type="button"
      tabIndex={-1}
      data-bar={startAt}
      data-sign={turn.sign}
      data-plan={turn.plan}
      data-command={turn.isByCommand || undefined}
      className={classes.bar_}
      style={place(drawing.axis, startAt, endAt)}
      aria-label={spoken}
      title={spoken}
      onClick={() => onOpen({ unit, turn })}
    >
      {isCut && (
        <i
          className={classes.rest}
          style={place({ from: startAt, to: endAt }, Math.max(saidUntil, startAt), endAt)}
        />
      )}
      {text && <span className={classes.shown}>{turn.sign === 'wont' ? `✕ ${text}` : text}</span>}
    </button>
  );
}

/** Behind all rows: nights, times of the water supply and clock changes. In each row they would be hundreds of elements more. */
export const Behind = memo(function Behind({
  axis,
  bands,
  seams,
}: Pick<Drawing, 'axis' | 'bands' | 'seams'>) {
  return (
    <div className={classes.behind} aria-hidden="true">
      <span />
      <div className={classes.track}>
        {bands.map(({ from, to, kind }) => (
          <i
            key={`${kind} ${from}`}
            className={classes.band}
            data-kind={kind}
            style={place(axis, from, to)}
          />
        ))}
        {seams
          .filter(({ at }) => at >= axis.from && at < axis.to)
          .map(({ at }) => (
            <i key={at} className={classes.seam} style={{ left: leftOf(axis, at) }} />
          ))}
      </div>
    </div>
  );
});

interface TrackProps {
  drawing: Drawing;
  holds: TimelineLine['holds'];
  children: ReactNode;
}

/** A row's bars, between the holds behind them and now. */
function Track({ drawing, holds, children }: TrackProps) {
  const { axis, now } = drawing;
  return (
    <div className={classes.track}>
      {holds.map((hold) => (
        <span
          key={`${hold.from} ${hold.until}`}
          className={classes.band}
          data-kind="hold"
          style={place(axis, hold.from, hold.until)}
          title={holdText(hold, drawing)}
        >
          {holdText(hold, drawing)}
        </span>
      ))}
      {now >= axis.from && now < axis.to && <i className={classes.now} style={{ left: leftOf(axis, now) }} />}
      {children}
    </div>
  );
}
