import { useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SECOND_STEP_GRACE_DAYS } from '@headrace/contract/limits';
import type { SharersSecondStep } from '@headrace/contract/sharing';
import { call } from '../../api/client.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { SettingSwitch } from '../../forms/setting-switch.tsx';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { exactTime } from '../../ui/format.ts';
import { secondStepQuery } from '../accounts/account.queries.ts';
import { ProofDialog } from '../accounts/proof-dialog.tsx';
import { sharersSecondStepQuery } from '../../access/sharers-second-step.ts';
import classes from './sharing.module.css';

type Person = SharersSecondStep['people'][number];
/** More are counted in sentences; the list has all of them. */
const NAMED = 4;

/** An owner asks the people whom farms are shared with for a second step of signing in, and sees who has one. */
export function AskSecondStep() {
  const queryClient = useQueryClient();
  const now = useNow();
  const { data } = useQuery(sharersSecondStepQuery);
  const [isAsking, setAsking] = useState(false);
  const [isEnding, setEnding] = useState(false);
  const keep = (state: SharersSecondStep) => queryClient.setQueryData(sharersSecondStepQuery.queryKey, state);
  if (!data || (data.people.length === 0 && data.from === null)) return null;
  return (
    <section className={classes.ask} aria-label="Two-step sign-in of the people you share with">
      <SettingSwitch
        label="Require two-step sign-in"
        hint={hintOf(data, now)}
        isOn={data.from !== null}
        onChange={(required) => (required ? setAsking(true) : setEnding(true))}
      />
      {!data.hasOwn && (
        <p className={classes.askNote}>
          Your own account has none. <Link to="/security">Set it up</Link>
        </p>
      )}
      <Who people={data.people} />
      {isAsking && (
        <ConfirmDialog
          title="Require two-step sign-in?"
          confirm="Require it"
          doing="Asking…"
          run={() => call('PUT /sharing/second-step', { body: { required: true } })}
          onDone={keep}
          onClose={() => setAsking(false)}
        >
          <Warning people={data.people} />
        </ConfirmDialog>
      )}
      {isEnding && (
        <EndDialog
          onDone={(state) => {
            setEnding(false);
            keep(state);
          }}
          onClose={() => setEnding(false)}
        />
      )}
    </section>
  );
}

function EndDialog({
  onDone,
  ...props
}: {
  onDone: (state: SharersSecondStep) => void;
  onClose: () => void;
}) {
  const asks = useQuery(secondStepQuery).data;
  return (
    <ProofDialog
      {...props}
      {...(asks && { asks })}
      title="End two-step sign-in for others?"
      save="End it"
      saving="Ending…"
      run={(proof) => call('PUT /sharing/second-step', { body: { required: false, ...proof } })}
      onDone={onDone}
    >
      <p className={classes.askNote}>
        Everyone you share with can then open your farms with the password alone, and is told so.
      </p>
    </ProofDialog>
  );
}

function Who({ people }: { people: readonly Person[] }) {
  if (people.length === 0) return null;
  const have = people.filter((one) => one.hasSecondStep).length;
  return (
    <details className={classes.who}>
      <summary>
        {have} of {people.length} {people.length === 1 ? 'person has' : 'people have'} set it up
      </summary>
      {/* What scrolls has to be reached by keys. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <ul tabIndex={0} aria-label="People you share with">
        {people.map(({ name, email, hasSecondStep }) => (
          <li key={email}>
            <ConditionDot condition={hasSecondStep ? 'ok' : 'caution'} label={null} />
            <span>
              {name} <span className={classes.mail}>{email}</span>
            </span>
            <span>{hasSecondStep ? 'Set up' : 'Not set up'}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Before it is asked for: whom it shuts out. */
function Warning({ people }: { people: readonly Person[] }) {
  const names = namesWithout(people);
  return (
    <>
      <p className={classes.askNote}>
        {names === null
          ? 'Everyone you share with has set it up already.'
          : `Not set up yet: ${names}. They are told now, and a day before: in ${SECOND_STEP_GRACE_DAYS} days your farms are shut to anyone who hasn't set it up.`}
      </p>
      <p className={classes.askNote}>
        Alerts go on in any case, and your farms open again as soon as it is set up. People you invite after
        that need it from their first day.
      </p>
    </>
  );
}

function hintOf({ from, people }: SharersSecondStep, now: number): string {
  if (from === null)
    return `For everyone you share with: a code or a passkey besides the password. After ${SECOND_STEP_GRACE_DAYS} days your farms are shut to people who haven't set it up.`;
  const names = namesWithout(people);
  if (names === null) return 'Everyone you share with has set it up.';
  return Date.parse(from) > now
    ? `Not set up yet: ${names}. From ${exactTime(Date.parse(from))} on they can't open your farms without it.`
    : `Can't open your farms, because it isn't set up: ${names}. They still get alerts.`;
}

function namesWithout(people: readonly Person[]): string | null {
  const names = people.filter((one) => !one.hasSecondStep).map(({ name, email }) => name || email);
  if (names.length === 0) return null;
  return names.length > NAMED
    ? `${names.slice(0, NAMED).join(', ')} and ${names.length - NAMED} more`
    : names.join(', ');
}
