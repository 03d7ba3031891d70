import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Incident, listIncidents } from '@headrace/contract/alerts';
import type { ReplyOf } from '@headrace/contract/endpoint';
import { snoozeTimes } from '@headrace/contract/rules/alerts/snooze-times';
import { durationText } from '@headrace/contract/rules/contact';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { Panel } from '../../ui/panel.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { snoozeLabels } from './alert-labels.ts';
import { useAnswer, useSnooze } from './alerts.queries.ts';
import { EndedIncidents } from './ended-incidents.tsx';
import { FarmClockNote } from './farm-clock-note.tsx';
import { IncidentText } from './incident-text.tsx';
import { TimeChoice } from './time-choice.tsx';
import entries from '../../ui/entries.module.css';
import classes from './alerts.module.css';

const OUTAGES_SHOWN = 3;
/** What follows stands below: two hundred at once were sixty thousand pixels on a phone. */
const DRAWN_AT_ONCE = 20;

type Found = ReplyOf<typeof listIncidents>;

interface IncidentsProps {
  farmUID: string;
  /** The first page has how many there are, and when Headrace itself did not listen. */
  pages: readonly Found[];
  /** Whether any alert that is on watches a device; undefined: that isn't known. */
  isWatched: boolean | undefined;
  more: ReactNode;
}

/** What is so now, the worst first; and what was so lately, folded. Nothing found is no news of what isn't watched. */
export function Incidents({ farmUID, pages, isWatched, more }: IncidentsProps) {
  const open = pages.flatMap((page) => page.open);
  const [drawn, setDrawn] = useState(DRAWN_AT_ONCE);
  const isUnwatched = isWatched === false;
  const calm = isUnwatched
    ? 'No alert is on: nobody is told of anything on this farm.'
    : 'The alerts that are on have found nothing that needs a person.';
  const title = isUnwatched ? 'Nothing is watched' : 'Nothing to tell';
  return (
    <Panel title={open.length === 0 ? title : `Now: ${pages[0]?.count.open}`}>
      {open.length === 0 && <p className={classes.facts}>{calm}</p>}
      {pages[0]?.outages.slice(0, OUTAGES_SHOWN).map(({ sentence }) => (
        <p key={sentence} className={classes.facts}>
          {sentence}
        </p>
      ))}
      {open.length > 0 && <FarmClockNote farmUID={farmUID} />}
      <ul className={entries.list} aria-label="What is so now">
        {open.slice(0, drawn).map((incident) => (
          <OpenIncident key={incident.uid} farmUID={farmUID} incident={incident} />
        ))}
      </ul>
      {drawn < open.length ? <PlainButton onClick={() => setDrawn(drawn * 5)}>Show more</PlainButton> : more}
      <EndedIncidents farmUID={farmUID} />
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

/** In the place of the button that was pressed: who goes on by keys goes on from there. */
const focusIt = (element: HTMLElement | null) => element?.focus();

/** Who is on it, or the button that says so. */
export function Answer({ farmUID, incident }: { farmUID: string; incident: Incident }) {
  const { mutate, isPending, isSuccess } = useAnswer(farmUID);
  if (incident.endedAt !== null) return null;
  if (incident.answeredBy !== null)
    return (
      <p className={classes.answered} tabIndex={-1} ref={isSuccess ? focusIt : null}>
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
  const { snoozedUntil, snoozedBy, title } = incident;
  return (
    <>
      <TimeChoice
        name={`Snooze: ${title}`}
        title="Snooze…"
        verb="Snooze"
        times={snoozeTimes}
        labels={snoozeLabels}
        disabled={isPending}
        onChoose={(until) => mutate({ incident, until })}
      />
      {snoozedUntil !== null && <SnoozedUntil at={snoozedUntil} by={snoozedBy} />}
    </>
  );
}

export function SnoozedUntil({ at, by = null }: { at: string; by?: string | null }) {
  const left = Date.parse(at) - useNow();
  if (left <= 0) return null;
  const who = by === null ? '' : ` by ${by}`;
  return (
    <span className={classes.facts}>
      Snoozed for {durationText(left)}
      {who}
    </span>
  );
}
