import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Timezone } from '@headrace/contract/farms';
import type { Timeline } from '@headrace/contract/timeline';
import type { Restriction, WaterTake } from '@headrace/contract/water-takes';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { exactTime, numberText } from '../../ui/format.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateView } from '../../ui/state-view.tsx';
import {
  type RestrictionPlan,
  restrictionPlan,
  type Span,
  spanAhead,
  type Watering,
} from './restriction-plan.ts';
import { limitLpsText, limitM3Text, m3Text } from './take-labels.ts';
import { plannedQuery } from './takes.queries.ts';
import classes from './restriction.module.css';

interface Props {
  farmUID: string;
  take: WaterTake;
  restriction: Restriction;
  zone: Timezone;
}

/** What sprinklers are to water while a restriction holds, beside what may be taken then. */
export function RestrictionStrip({ farmUID, restriction, ...rest }: Props) {
  const span = spanAhead(restriction, useNow());
  return span && <Planned {...{ farmUID, restriction, span, ...rest }} />;
}

function Planned({ farmUID, take, restriction, zone, span }: Props & { span: Span }) {
  const query = useQuery(plannedQuery(farmUID, span));
  return (
    <div className={classes.plan}>
      <StateView
        query={query}
        failed="What is to water then couldn't be loaded"
        skeleton={<Skeleton blocks={1} blockPx={88} />}
      >
        {(timeline) => {
          const plan = restrictionPlan(timeline, restriction, take);
          return (
            <>
              <Verdict plan={plan} zone={zone} span={span} />
              {plan.groups.length > 0 && (
                <Strip timeline={timeline} allowedLps={plan.allowedLps} zone={zone} />
              )}
              <Groups groups={plan.groups} zone={zone} />
              <Link
                to="/schedules/view/$id"
                params={{ id: farmUID }}
                search={{ tab: 'supply' }}
                className={classes.way}
              >
                Try out which groups stop
              </Link>
            </>
          );
        }}
      </StateView>
    </div>
  );
}

function Verdict({ plan, zone, span }: { plan: RestrictionPlan; zone: Timezone; span: Span }) {
  const isOver =
    plan.groups.length > 0 &&
    ((plan.allowedLps !== null && plan.peakLps > plan.allowedLps) ||
      (plan.allowedM3 !== null && plan.plannedM3 > plan.allowedM3));
  return (
    <p className={classes.verdict}>
      {isOver && <ConditionDot condition="issue" label="Above it" size={15} />}
      <span>
        {verdictText(plan)} Until {exactTime(span.to, zone)}, of all sprinklers of the farm.
        {plan.notIn > 0 &&
          (plan.notIn === 1
            ? ' Of one more it isn’t known what it holds.'
            : ` Of ${numberText(plan.notIn)} more it isn’t known what they hold.`)}
      </span>
    </p>
  );
}

function verdictText({ groups, peakLps, plannedM3, allowedLps, allowedM3 }: RestrictionPlan): string {
  if (groups.length === 0) return 'No group is to water, as far as is known.';
  const count = groups.length === 1 ? 'One group is' : `${numberText(groups.length)} groups are`;
  if (allowedM3 !== null)
    return `${count} to water: ${m3Text(plannedM3)} are planned, of ${limitM3Text(allowedM3)} that may be taken.`;
  const peak = `up to ${numberText(peakLps, 1)} L/s at once`;
  if (allowedLps === null) return `${count} to water: ${peak}.`;
  return `${count} to water: ${peak}, of ${limitLpsText(allowedLps)} that may be taken.`;
}

const [WIDE, HIGH] = [600, 72];

/** Planned flow, and the line that it may not pass. */
function Strip({
  timeline: { flow, from, to },
  allowedLps,
  zone,
}: {
  timeline: Timeline;
  allowedLps: number | null;
  zone: Timezone;
}) {
  const top = Math.max(1, allowedLps ?? 0, ...flow.planned) * 1.1;
  const y = (lps: number) => HIGH - (HIGH * lps) / top;
  const step = WIDE / Math.max(1, flow.planned.length);
  const line = flow.planned
    .map((lps, nth) => `V${y(lps).toFixed(1)}H${((nth + 1) * step).toFixed(1)}`)
    .join('');
  return (
    <figure className={classes.figure}>
      <svg viewBox={`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" aria-hidden="true">
        <path className={classes.planned} d={`M0 ${HIGH}${line}V${HIGH}Z`} />
        {allowedLps !== null && (
          <path className={classes.allowed} d={`M0 ${Math.min(HIGH - 1, y(allowedLps))}H${WIDE}`} />
        )}
      </svg>
      <figcaption>
        <span>{exactTime(from, zone)}</span>
        <span>{allowedLps === null ? 'planned flow' : 'planned flow; dashed: may be taken'}</span>
        <span>{exactTime(to, zone)}</span>
      </figcaption>
    </figure>
  );
}

/** As many as are read at a look. */
const SHOWN = 8;

function Groups({ groups, zone }: { groups: readonly Watering[]; zone: Timezone }) {
  if (groups.length === 0) return null;
  const left = groups.length - SHOWN;
  return (
    <ul className={classes.groups} aria-label="Groups that are to water then">
      {groups.slice(0, SHOWN).map(({ id, name, turns, unsure, next }) => (
        <li key={id}>
          <b>{name}</b>{' '}
          <span className="num">
            {turns === 1 ? 'one watering' : `${numberText(turns)} waterings`}
            {unsure > 0 && ` (${numberText(unsure)} not sure)`}
            {next === null ? ', one now' : Number.isFinite(next) ? `, next ${exactTime(next, zone)}` : ''}
          </span>
        </li>
      ))}
      {left > 0 && <li>and {left === 1 ? 'one more group' : `${numberText(left)} more groups`}</li>}
    </ul>
  );
}
