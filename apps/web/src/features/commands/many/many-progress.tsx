import { useState, type ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Api } from '@headrace/contract/api';
import type { CommandUnit } from '@headrace/contract/commands';
import type { Timezone } from '@headrace/contract/farms';
import { needs } from '@headrace/contract/permissions';
import { compareNatural } from '@headrace/contract/rules/natural-order';
import { isUnderWay } from '@headrace/contract/rules/under-way';
import { useCan } from '../../../access/permissions.ts';
import { serverHeardAt, useMissing } from '../../../api/reach.ts';
import { useNow } from '../../../ui/clock.ts';
import { minuteText, numberText } from '../../../ui/format.ts';
import { StateView } from '../../../ui/state-view.tsx';
import { useChartZone } from '../../../time-range/farm-zone.ts';
import { BehindLines } from '../behind-lines.tsx';
import { CancelCommand } from '../cancel-command.tsx';
import { commandNote, commandLabel } from '../command-labels.ts';
import { commandQuery, useLiveCommands } from '../commands.queries.ts';
import { finishTextOf, paceText } from '../finish-labels.ts';
import { ProgressBar } from '../progress-bar.tsx';
import { UnstoppedLines } from '../unstopped-lines.tsx';
import { GoBack } from '../go-back.tsx';
import { TryAgain } from '../try-again.tsx';
import form from '../../../forms/dialog-form.module.css';
import classes from './many.module.css';

const NAMES_SHOWN = 12;

/** How far a command to many is, where it was sent: who has answered, who hasn't, and the way to take back the rest. */
export function ManyProgress({ farmUID, commandId }: { farmUID: string; commandId: string }) {
  const canRead = useCan(needs.readCommands, farmUID);
  // Sent again to some, or the way back, it is shown how far that is.
  const [next, setNext] = useState<Next | null>(null);
  const query = useQuery({ ...commandQuery(farmUID, next?.commandId ?? commandId), enabled: canRead });
  useLiveCommands(farmUID);
  if (!canRead)
    return <p className={form.text}>It was sent. What becomes of it you may not see on this farm.</p>;
  return (
    <StateView
      query={query}
      failed="How far it is couldn't be loaded"
      skeleton={<p className={form.text}>Sent.</p>}
    >
      {(details) => (
        <>
          {next && <p className={classes.next}>{next.text}</p>}
          <Standing key={details.command._id} details={details} onNext={setNext} />
        </>
      )}
    </StateView>
  );
}

/** The command that is shown in the first one's place, and what it is. */
interface Next {
  commandId: string;
  text: string;
}

interface StandingProps {
  details: Api['GET /command']['reply'];
  onNext: (next: Next) => void;
}

function Standing({ details, onNext }: StandingProps) {
  const { command, units, unitStates, perMinute, unstopped, goBack } = details;
  const zone = useChartZone(command.farmUID);
  const now = useNow();
  const finish = finishTextOf(details, zone, now);
  const note = commandNote(command);
  // News of the command comes before its units are asked for again: who is done by that waits no more.
  const left = command.total - command.done - command.failed;
  const isAway = useMissing() !== null;
  const waiting = Math.min(
    left,
    (unitStates.queued ?? 0) + (unitStates.sent ?? 0) + (unitStates.accepted ?? 0),
  );
  const failed = (unitStates.failed ?? 0) + (unitStates.expired ?? 0);
  return (
    <div className={classes.plan} role="region" aria-label="How far it is">
      <p className={classes.count} role="status">
        {headline(details)}
        {note && !unstopped && `. ${note}`}
      </p>
      <ProgressBar command={command} />
      <ul className={classes.findings}>
        {isAway && <li className="num">{awayText(zone)}</li>}
        <BehindLines command={command} />
        {isUnderWay(command) && finish && <li className="num">Done {finish}.</li>}
        {isUnderWay(command) && !isAway && perMinute !== null && (
          <li className="num">{`Now ${paceText(perMinute)} answer.`}</li>
        )}
        <Those units={units} count={failed} which={isBad}>
          {unstopped ? didNotAnswer(failed) : failed === 1 ? '1 failed' : `${numberText(failed)} failed`}
        </Those>
        <UnstoppedLines unstopped={unstopped} />
        <Those units={units} count={waiting} which={isUnderWay}>
          {waiting === 1 ? '1 has not answered yet' : `${numberText(waiting)} have not answered yet`}
        </Those>
      </ul>
      <CancelCommand command={command} states={unitStates} />
      <GoBack
        command={command}
        plan={goBack}
        onSent={(id) => onNext({ commandId: id, text: 'They go back to what they had before.' })}
      />
      <TryAgain
        command={command}
        failed={failed}
        onSent={(id) => onNext({ commandId: id, text: 'Sent again, to those that failed before.' })}
      />
      <Link
        to="/commands/$farmUID"
        params={{ farmUID: command.farmUID }}
        search={{ command: command._id }}
        className={classes.way}
      >
        Each unit, under Commands
      </Link>
    </div>
  );
}

/** It covers the page, which says so too. */
function awayText(zone: Timezone): string {
  const heardAt = serverHeardAt();
  const asOf = heardAt === null ? '' : `: shown as of ${minuteText(heardAt, zone)}`;
  return `There is no connection now${asOf}. It goes on without this page.`;
}

const didNotAnswer = (count: number) => `${numberText(count)} did not close, or didn't answer`;

/** "Failed" would say of a farm that is shut that it isn't: of an Off it is said who did close. */
function headline({ command, unstopped }: Api['GET /command']['reply']): string {
  if (!unstopped || isUnderWay(command)) return commandLabel(command);
  return `${numberText(command.done)} of ${numberText(command.total)} closed`;
}

const isBad = ({ state }: CommandUnit) => state === 'failed' || state === 'expired';

interface ThoseProps {
  units: readonly CommandUnit[];
  /** How many there are; `units` may be only the first. */
  count: number;
  which: (unit: CommandUnit) => boolean;
  children: ReactNode;
}

function Those({ units, count, which, children }: ThoseProps) {
  if (count === 0) return null;
  // Not as they were sent: who reads them walks or looks them up.
  const names = units
    .filter(which)
    .map(({ name }) => name)
    .toSorted(compareNatural)
    .slice(0, NAMES_SHOWN);
  const more = count - names.length;
  return (
    <li>
      {children}
      {names.length > 0 && (
        <span className={classes.names}>
          {names.join(', ')}
          {more > 0 && ` and ${numberText(more)} more`}
        </span>
      )}
    </li>
  );
}
