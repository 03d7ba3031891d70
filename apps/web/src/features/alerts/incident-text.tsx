import { Link } from '@tanstack/react-router';
import type { Incident } from '@headrace/contract/alerts';
import { alertClassLabels, alertCondition } from '../../device-records/open-alerts.ts';
import { Age } from '../../ui/age.tsx';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import entries from '../../ui/entries.module.css';
import classes from './alerts.module.css';

/** What is or was so, the way to its page, and which alert told it when. */
export function IncidentText({ farmUID, incident }: { farmUID: string; incident: Incident }) {
  const { uid, message, openedAt, endedAt, isUnwatched, alertName } = incident;
  const over = isUnwatched ? 'No longer watched' : 'Over';
  return (
    <div className={entries.about}>
      <p className={classes.name}>
        <span className={classes.dot}>
          <ConditionDot
            condition={endedAt === null ? alertCondition[incident.class] : isUnwatched ? 'inhibited' : 'ok'}
            label={endedAt === null ? alertClassLabels[incident.class] : over}
          />
        </span>
        <Link to="/alerts" search={{ farm: farmUID, incident: uid }} className={classes.to}>
          {message}
        </Link>
      </p>
      <p className={classes.facts}>
        {alertName} · {endedAt === null ? 'told' : over.toLowerCase()} <Age at={endedAt ?? openedAt} />
      </p>
    </div>
  );
}
