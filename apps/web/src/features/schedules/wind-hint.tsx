import { useQuery } from '@tanstack/react-query';
import { needs } from '@headrace/contract/permissions';
import { clockText } from '@headrace/contract/rules/schedule/clock-text';
import { hoursToLeave, WINDY_KMH, windyHours } from '@headrace/contract/rules/schedule/hours-share';
import type { PlanDesign } from '@headrace/contract/rules/schedule/remedies';
import { useCan } from '../../access/permissions.ts';
import { forecastQuery } from '../../device-records/forecast.queries.ts';
import { Age } from '../../ui/age.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { percentText } from './percent-text.ts';
import type { MadePlan } from './plan-result.ts';
import classes from './plan-result.module.css';

interface WindHintProps {
  farmUID: string;
  made: MadePlan;
  design: PlanDesign;
  onMend: ((design: PlanDesign) => void) | undefined;
}

/** How much of the water runs when it is usually windy, with a start that leaves those hours. It moves nothing by itself. */
export function WindHint({ farmUID, made, design, onMend }: WindHintProps) {
  const canAsk = useCan(needs.tankSummary, farmUID);
  const { data: forecast } = useQuery({ ...forecastQuery(farmUID), enabled: canAsk });
  const hours = windyHours(forecast?.windByHour ?? []);
  const found = hoursToLeave(made.flow, made.cycleLen, design.startMin ?? 0, hours);
  if (!forecast || hours.length === 0 || !found) return null;
  const times = hours.map(({ fromMin, toMin }) => `${clockText(fromMin)}–${endText(toMin)}`).join(', ');
  // Within limits a plan is not moved as a whole.
  const startMin = design.limits ? null : found.startMin;
  return (
    <div className={`${classes.finding} num`} role="group" aria-label="Wind">
      <span className={classes.sentence}>
        {times} usually over {WINDY_KMH} km/h: {percentText(found.share)} of the water.{' '}
        <span className={classes.source}>
          {forecast.isDemo && <b>Demo. </b>}By the forecast for ten days: {forecast.source},{' '}
          <Age at={Date.parse(forecast.fetchedAt)} />.
        </span>
      </span>
      {startMin !== null && onMend && (
        <PlainButton onClick={() => onMend({ ...design, startMin })}>
          {`Start at ${clockText(startMin)}: ${percentText(found.shareThen)}`}
        </PlainButton>
      )}
    </div>
  );
}

/** The end of a day is its 24:00. */
const endText = (minute: number) => (minute === 1440 ? '24:00' : clockText(minute));
