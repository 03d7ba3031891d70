import { useRef, type TouchEvent } from 'react';
import type { Timezone } from '@headrace/contract/farms';
import { Link } from '@tanstack/react-router';
import { needs } from '@headrace/contract/permissions';
import { addDays } from '@headrace/contract/rules/farm-time';
import type { Timeline, TimelineLine } from '@headrace/contract/timeline';
import { useCan } from '../../access/permissions.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { farmDay } from '../../time-range/period.ts';
import { byNeed, inShort, lasting, nowText, restText, unknownText } from './agenda-labels.ts';
import { DaySteps } from './day-steps.tsx';
import { busyText, holdText, newsText } from './line-labels.ts';
import { MixedLines } from './mixed-lines.tsx';
import { NoSprinklers } from './no-sprinklers.tsx';
import { Seams } from './seams.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { signLabels, timesText } from './turn-labels.ts';
import { weekday } from '../../ui/weekday.ts';
import { useTimeline } from './use-timeline.ts';
import classes from './timeline.module.css';

/** A swipe goes at least so far sideways, px. */
const SWIPE_PX = 60;

/** On a phone: what waters now, what comes next by line, then the day. */
export default function Agenda({ farmUID }: { farmUID: string }) {
  const view = useTimeline(farmUID, '24');
  const { axis, zone, search, patch } = view;
  const go = (by: number) => patch({ date: farmDay(zone, addDays(zone, axis.from, by)) });
  const swipe = useSwipe(go);
  return (
    <div className={classes.agenda} {...swipe}>
      <StateView
        query={view.query}
        failed="The timeline couldn't be loaded"
        skeleton={<Skeleton blocks={6} blockPx={44} />}
        isEmpty={({ lines }) => lines.length === 0}
        empty={<NoSprinklers />}
      >
        {(timeline) => (
          <>
            <Seams timeline={timeline} zone={zone} now={view.now} />
            <MixedLines lines={timeline.lines} telling={{ zone, now: view.now }} />
            {search.date === undefined && <InShort lines={timeline.lines} zone={zone} now={view.now} />}
            {search.date === undefined && (
              <Now farmUID={farmUID} lines={timeline.lines} zone={zone} now={view.now} />
            )}
            {search.date === undefined && <Next lines={timeline.lines} zone={zone} now={view.now} />}
            <Unknown farmUID={farmUID} count={timeline.flow.notIn} />
            {search.date === undefined && <Held lines={timeline.lines} zone={zone} now={view.now} />}
            <section>
              <DaySteps before="The day before" after="The day after" onStep={go}>
                <h2 className={`${classes.heading} ${classes.day}`}>{weekday(axis.from, zone)}</h2>
              </DaySteps>
              {search.date !== undefined && (
                <div className={classes.today}>
                  <PlainButton onClick={() => patch({ date: undefined })}>Today</PlainButton>
                </div>
              )}
              <Day timeline={timeline} zone={zone} />
            </section>
          </>
        )}
      </StateView>
    </div>
  );
}

interface PartProps {
  lines: readonly TimelineLine[];
  zone: Timezone;
  now: number;
}

/** Where many lines water side by side: both answers before their long lists. */
function InShort({ lines, zone, now }: PartProps) {
  const text = inShort(lines, zone, now);
  return text === null ? null : <p className={classes.calm}>{text}</p>;
}

function Now({ farmUID, lines, zone, now }: PartProps & { farmUID: string }) {
  const canOpen = useCan(needs.groupMap, farmUID);
  const open = lines
    .flatMap((line) => line.open.map((unit) => ({ line, unit })))
    .toSorted((one, other) => byNeed(one.unit, other.unit));
  return (
    <section aria-labelledby="agenda-now">
      <h2 id="agenda-now" className={classes.heading}>
        Now
      </h2>
      {open.length === 0 ? (
        <p className={classes.calm}>Nothing waters now, as far as is known.</p>
      ) : (
        <ul className={classes.list}>
          {open.map(({ line, unit }) => (
            <li key={`${line.id} ${unit.uid}`} className={classes.item}>
              {unit.state === 'openOverdue' ? (
                <ConditionDot condition="issue" size={14} label={null} />
              ) : (
                <Sign sign={unit.basis === 'said' || unit.basis === 'answered' ? 'said' : 'believed'} />
              )}
              <span>
                <strong>
                  {canOpen ? <Opening farmUID={farmUID} uid={unit.uid} name={unit.name} /> : unit.name}
                </strong>{' '}
                {line.name}
              </span>
              <span className={classes.when}>{restText(unit, now)}</span>
              <span className={classes.why}>{nowText(unit, zone, now)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** To where its valve is closed. */
const Opening = ({ farmUID, uid, name }: { farmUID: string; uid: string; name: string }) => (
  <Link
    to="/group-status/$name"
    params={{ name: 'FARM' }}
    search={{ farm: farmUID, ipc: uid }}
    className={classes.opening}
  >
    {name}
  </Link>
);

/** Of whom nothing can be said, here as on the wide timeline. */
function Unknown({ farmUID, count }: { farmUID: string; count: number }) {
  if (count === 0) return null;
  return (
    <p className={classes.calm}>
      {unknownText(count)}{' '}
      <Link to="/schedules/$id" params={{ id: farmUID }} className={classes.opening}>
        To the schedule sets
      </Link>
    </p>
  );
}

/** Lines that a paddock hold keeps from watering now. */
function Held({ lines, zone, now }: PartProps) {
  const held = lines.flatMap((line) =>
    line.holds.filter(({ from, until }) => from <= now && until > now).map((hold) => ({ line, hold })),
  );
  if (held.length === 0) return null;
  return (
    <section aria-labelledby="agenda-held">
      <h2 id="agenda-held" className={classes.heading}>
        Held
      </h2>
      <ul className={classes.list}>
        {held.map(({ line, hold }) => (
          <li key={`${line.id} ${hold.from}`} className={classes.item}>
            <i className={`${classes.band} ${classes.sample}`} data-kind="hold" aria-hidden="true" />
            <strong>{line.name}</strong>
            <span className={classes.when}>
              {hold.units} of {line.units}
            </span>
            <span className={classes.why}>{holdText(hold, { zone, now })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Next({ lines, zone, now }: PartProps) {
  const next = lines
    .flatMap((line) => (line.next ? [{ id: line.id, line, turn: line.next }] : []))
    .toSorted((one, other) => one.turn.startAt - other.turn.startAt);
  if (next.length === 0) return null;
  return (
    <section aria-labelledby="agenda-next">
      <h2 id="agenda-next" className={classes.heading}>
        Next
      </h2>
      <ul className={classes.list}>
        {next.map(({ id, line, turn }) => (
          <li key={id} className={classes.item}>
            <Sign sign={turn.sign} />
            <span>
              <strong>{line.name}</strong> {turn.name}
            </span>
            <span className={classes.when}>{timesText(turn, zone)}</span>
            <span className={classes.why}>
              in {lasting(turn.startAt - now)}
              {turn.sign === 'unsure' && ', not sure'}
              {line.newsLate > 0 && `, ${newsText(line)}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Day({ timeline: { lines, from }, zone }: { timeline: Timeline; zone: Timezone }) {
  const times = lines
    .flatMap(({ id, name, busy }) => busy.map((time) => ({ id, name, time })))
    .toSorted((one, other) => one.time.startAt - other.time.startAt);
  if (times.length === 0)
    return <p className={classes.calm}>Nothing is planned, and nothing was heard to water.</p>;
  return (
    <ul className={classes.list}>
      {times.map(({ id, name, time }) => (
        <li
          key={`${id} ${time.sign} ${time.startAt}`}
          className={classes.item}
          aria-label={busyText(name, time, zone)}
        >
          <Sign sign={time.sign} />
          <strong>{name}</strong>
          <span className={classes.when}>{timesText(time, zone)}</span>
          <span className={classes.why}>
            {signLabels[time.sign]}, {time.turns} {time.turns === 1 ? 'watering' : 'waterings'}
            {time.startAt < from && ', from the evening before'}
          </span>
        </li>
      ))}
    </ul>
  );
}

const Sign = ({ sign }: { sign: TimelineLine['busy'][number]['sign'] }) => (
  <i className={`${classes.bar_} ${classes.sample}`} data-sign={sign} aria-hidden="true" />
);

/** Sideways, to the day before or after. */
function useSwipe(go: (by: number) => void) {
  const began = useRef<{ x: number; y: number } | null>(null);
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      const touch = touches.item(0);
      began.current = touch ? { x: touch.clientX, y: touch.clientY } : null;
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const touch = changedTouches.item(0);
      if (!began.current || !touch) return;
      const [x, y] = [touch.clientX - began.current.x, touch.clientY - began.current.y];
      if (Math.abs(x) >= SWIPE_PX && Math.abs(x) > 2 * Math.abs(y)) go(x < 0 ? 1 : -1);
    },
  };
}
