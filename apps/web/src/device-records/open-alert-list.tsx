import { Link } from '@tanstack/react-router';
import type { Incident } from '@headrace/contract/alerts';
import { ConditionDot } from '../ui/condition-dot.tsx';
import { alertClassLabels, alertCondition } from './open-alerts.ts';
import classes from './open-alerts.module.css';

interface OpenAlertListProps {
  /** Of one farm, the worst first. */
  open: readonly Incident[];
  /** So many are in sight; the others stand on the farm's alerts page. */
  most: number;
  label?: string;
  /** Of several farms: each behind its title, which has the farm's name. */
  isTitled?: boolean;
  onFollow?: () => void;
}

/** What alerts have told and is still so, in the words in which it was told; each leads to whom it told and who is on it. */
export function OpenAlertList({ open, most, label = 'Open alerts', isTitled, onFollow }: OpenAlertListProps) {
  const [first] = open;
  if (!first) return null;
  const left = open.length - most;
  return (
    <ul className={classes.list} aria-label={label}>
      {open.slice(0, most).map((incident) => (
        <li key={incident.uid} className={classes.item}>
          <AlertDot incident={incident} />
          <span className={classes.text}>
            <AlertLink
              incident={incident}
              text={isTitled ? incident.title : incident.message}
              onFollow={onFollow}
            />
            {isTitled && <span className={classes.message}>{incident.message}</span>}
            <Answered incident={incident} />
          </span>
        </li>
      ))}
      {left > 0 && (
        <li className={classes.item}>
          <Link
            to="/alerts"
            search={{ farm: first.farmUID }}
            className={classes.more}
            onClick={() => onFollow?.()}
          >
            and {left} more {left === 1 ? 'alert' : 'alerts'}
          </Link>
        </li>
      )}
    </ul>
  );
}

export const AlertDot = ({ incident }: { incident: Incident }) => (
  <span className={classes.dot}>
    <ConditionDot
      condition={alertCondition[incident.class]}
      label={alertClassLabels[incident.class]}
      size={17}
    />
  </span>
);

interface AlertLinkProps {
  incident: Incident;
  text: string;
  onFollow?: (() => void) | undefined;
}

export const AlertLink = ({ incident: { farmUID, uid }, text, onFollow }: AlertLinkProps) => (
  <Link
    to="/alerts"
    search={{ farm: farmUID, incident: uid }}
    className={classes.link}
    onClick={() => onFollow?.()}
  >
    {text}
  </Link>
);

export const Answered = ({ incident: { answeredBy } }: { incident: Incident }) =>
  answeredBy === null ? null : <span className={classes.who}>{answeredBy} is on it.</span>;
