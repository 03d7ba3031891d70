import { Link } from '@tanstack/react-router';
import type { Incident } from '@headrace/contract/alerts';
import { ConditionDot } from '../ui/condition-dot.tsx';
import { alertClassLabels, alertCondition } from './open-alerts.ts';
import classes from './open-alerts.module.css';

interface OpenAlertListProps {
  /** The worst first. */
  open: readonly Incident[];
  /** There are more than these. */
  isCut?: boolean;
  /** So many are in sight; the others stand on the farm's alerts page. */
  most: number;
  label?: string;
  /** Of several farms: each behind its title, which has the farm's name. */
  isTitled?: boolean;
  onFollow?: () => void;
}

/** What alerts have told and is still so, in the words in which it was told; each leads to whom it told and who is on it. */
export function OpenAlertList(props: OpenAlertListProps) {
  const { open, isCut = false, most, label = 'Open alerts', isTitled, onFollow } = props;
  if (open.length === 0) return null;
  const left = open.slice(most);
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
      {left.length > 0 && (
        <li className={classes.item}>
          <MoreLink left={left} isCut={isCut} onFollow={onFollow} />
        </li>
      )}
    </ul>
  );
}

interface MoreLinkProps {
  left: readonly Incident[];
  isCut: boolean;
  onFollow: (() => void) | undefined;
}

/** Of one farm they stand on its alerts page, of several on the farms' cards. */
function MoreLink({ left, isCut, onFollow }: MoreLinkProps) {
  const [farmUID, ...others] = new Set(left.map((incident) => incident.farmUID));
  const count = `${isCut ? 'at least ' : ''}${left.length} more ${left.length === 1 ? 'alert' : 'alerts'}`;
  const shared = { className: classes.more, onClick: () => onFollow?.() };
  if (others.length > 0)
    return (
      <Link to="/" {...shared}>
        and {count} on {others.length + 1} farms
      </Link>
    );
  return (
    <Link to="/alerts" search={{ farm: farmUID }} {...shared}>
      and {count}
    </Link>
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
