import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Incident } from '@headrace/contract/alerts';
import { type SnoozeTime, snoozeTimes } from '@headrace/contract/rules/alerts/snooze-times';
import { durationText } from '@headrace/contract/rules/contact';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { Panel } from '../../ui/panel.tsx';
import { alertClassLabels, alertCondition } from '../../device-records/open-alerts.ts';
import { snoozeLabels } from './alert-labels.ts';
import { useAnswer, useSnooze } from './alerts.queries.ts';
import entries from '../../ui/entries.module.css';
import classes from './alerts.module.css';

const OUTAGES_SHOWN = 3;

interface IncidentsProps {
  farmUID: string;
  open: readonly Incident[];
  ended: readonly Incident[];
  /** When Headrace itself did not listen, the newest first. */
  outages: readonly { sentence: string }[];
  /** Whether any alert that is on watches a device; undefined: that isn't known. */
  isWatched: boolean | undefined;
}

/** What is so now, the worst first; and what was so lately, folded. Nothing found is no news of what isn't watched. */
export function Incidents({ farmUID, open, ended, outages, isWatched }: IncidentsProps) {
  const isUnwatched = isWatched === false;
  const calm = isUnwatched
    ? 'No alert is on: nobody is told of anything on this farm.'
    : 'The alerts that are on have found nothing that needs a person.';
  const title = isUnwatched ? 'Nothing is watched' : 'Nothing to tell';
  return (
    <Panel title={open.length === 0 ? title : `Now: ${open.length}`}>
      {open.length === 0 && <p className={classes.facts}>{calm}</p>}
      {outages.slice(0, OUTAGES_SHOWN).map(({ sentence }) => (
        <p key={sentence} className={classes.facts}>
          {sentence}
        </p>
      ))}
      <ul className={entries.list} aria-label="What is so now">
        {open.map((incident) => (
          <OpenIncident key={incident.uid} farmUID={farmUID} incident={incident} />
        ))}
      </ul>
      {ended.length > 0 && (
        <details className={classes.ended}>
          <summary className={classes.summary}>Over, of the last 30 days: {ended.length}</summary>
          <ul className={entries.list} aria-label="What is over">
            {ended.map((incident) => (
              <li key={incident.uid} className={entries.entry}>
                <IncidentText farmUID={farmUID} incident={incident} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </Panel>
  );
}

function OpenIncident({ farmUID, incident }: { farmUID: string; incident: Incident }) {
  return (
    <li className={entries.entry}>
      <IncidentText farmUID={farmUID} incident={incident} />
      <Answer farmUID={farmUID} incident={incident} />
    </li>
  );
}

/** Who is on it, or the button that says so. */
export function Answer({ farmUID, incident }: { farmUID: string; incident: Incident }) {
  const { mutate, isPending } = useAnswer(farmUID);
  if (incident.endedAt !== null) return null;
  if (incident.answeredBy !== null)
    return (
      <p className={classes.answered}>
        {incident.answeredBy} is on it, <Age at={incident.answeredAt} />
      </p>
    );
  return (
    <div className={classes.answer}>
      <Button
        mih={44}
        loading={isPending}
        aria-label={`I'm on it: ${incident.title}`}
        onClick={() => mutate(incident)}
      >
        I&apos;m on it
      </Button>
      <Snooze farmUID={farmUID} incident={incident} />
    </div>
  );
}

/** Until when nobody is told that it goes on. */
function Snooze({ farmUID, incident }: { farmUID: string; incident: Incident }) {
  const { mutate, isPending } = useSnooze(farmUID);
  const { uid, snoozedUntil, title } = incident;
  return (
    <>
      <select
        className={classes.snooze}
        aria-label={`Snooze: ${title}`}
        disabled={isPending}
        value=""
        onChange={({ currentTarget: { value } }) => mutate({ uid, until: value as SnoozeTime })}
      >
        <option value="" disabled>
          Snooze…
        </option>
        {snoozeTimes.map((until) => (
          <option key={until} value={until}>
            {snoozeLabels[until]}
          </option>
        ))}
      </select>
      {snoozedUntil !== null && <SnoozedUntil at={snoozedUntil} />}
    </>
  );
}

export function SnoozedUntil({ at }: { at: string }) {
  const left = Date.parse(at) - useNow();
  if (left <= 0) return null;
  return <span className={classes.facts}>Snoozed for {durationText(left)}</span>;
}

function IncidentText({ farmUID, incident }: { farmUID: string; incident: Incident }) {
  const { uid, message, openedAt, endedAt, alertName } = incident;
  return (
    <div className={entries.about}>
      <p className={classes.name}>
        <span className={classes.dot}>
          <ConditionDot
            condition={endedAt === null ? alertCondition[incident.class] : 'ok'}
            label={endedAt === null ? alertClassLabels[incident.class] : 'Over'}
          />
        </span>
        <Link to="/alerts" search={{ farm: farmUID, incident: uid }} className={classes.to}>
          {message}
        </Link>
      </p>
      <p className={classes.facts}>
        {alertName} · {endedAt === null ? 'told' : 'over'} <Age at={endedAt ?? openedAt} />
      </p>
    </div>
  );
}
