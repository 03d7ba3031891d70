import type { Alert } from '@headrace/contract/alerts';
import { type PauseTime, pauseTimes } from '@headrace/contract/rules/alerts/snooze-times';
import { durationText } from '@headrace/contract/rules/contact';
import { useNow } from '../../ui/clock.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { snoozeLabels } from './alert-labels.ts';
import { type Paused, usePause, useResume } from './alerts.queries.ts';
import { TimeChoice } from './time-choice.tsx';
import classes from './alerts.module.css';

interface PauseProps {
  farmUID: string;
  of: Paused;
  /** "Tank low", "all alerts". */
  name: string;
  label?: string;
  paused: Alert['paused'];
}

const labels: Readonly<Record<PauseTime, string>> = { ...snoozeLabels, week: 'for a week' };

/** Until when what an alert finds is in the bell alone, and by whom; else the way to have it so. */
export function Pause({ farmUID, of, name, paused, label = 'Pause…' }: PauseProps) {
  const now = useNow();
  const pause = usePause(farmUID);
  const resume = useResume(farmUID);
  const leftMs = paused ? Date.parse(paused.until) - now : 0;
  if (paused && leftMs > 0)
    return (
      <div className={classes.answer}>
        <span className={classes.answered}>
          Paused for {durationText(leftMs)}
          {paused.by ? ` by ${paused.by}` : ''}
        </span>
        <PlainButton label={`Resume: ${name}`} onClick={() => resume.mutate(of)}>
          Resume
        </PlainButton>
      </div>
    );
  return (
    <TimeChoice
      name={`Pause: ${name}`}
      title={label}
      verb="Pause"
      times={pauseTimes}
      labels={labels}
      disabled={pause.isPending}
      onChoose={(until) => pause.mutate({ ...of, until })}
    />
  );
}
