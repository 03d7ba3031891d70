import { useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { SignedInDevice } from '@headrace/contract/account-details';
import { SESSION_DAYS, SESSION_MOST_DAYS, SESSION_NOTICE_DAYS } from '@headrace/contract/limits';
import { call } from '../../api/client.ts';
import { resumeSession, session } from '../../api/session.ts';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { exactTime } from '../../ui/format.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { toast } from '../../ui/toasts.ts';
import { secondStepQuery, sessionsQuery } from './account.queries.ts';
import { ProofDialog } from './proof-dialog.tsx';
import classes from './account.module.css';

const DAY_MS = 86_400_000;

/** Until when this browser stays signed in, and going on beyond that. */
export function StaySignedIn({ here }: { here: SignedInDevice | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  const now = useNow();
  if (!here) return null;
  const endsAt = Date.parse(here.endsAt);
  const isSoon = endsAt - now < SESSION_NOTICE_DAYS.first * DAY_MS;
  const [day] = exactTime(endsAt).split(' ');
  return (
    <div className={classes.stay}>
      <p>
        {isSoon && <ConditionDot condition="caution" size={18} label={null} />} This browser stays signed in
        until <strong>{day}</strong>, and for {SESSION_DAYS} days at most without being used.{' '}
        {here.hasPush && 'After that no alert reaches it. '}
        With your password it stays signed in for another {SESSION_MOST_DAYS} days.
      </p>
      <PlainButton onClick={() => setIsOpen(true)}>Stay signed in…</PlainButton>
      {isOpen && <RenewDialog onClose={() => setIsOpen(false)} />}
    </div>
  );
}

function RenewDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const asks = useQuery(secondStepQuery).data;
  return (
    <ProofDialog
      {...(asks && { asks })}
      title="Stay signed in"
      save="Stay signed in"
      saving="Asking…"
      onClose={onClose}
      run={async (proof) => {
        const before = session();
        const { token } = await call('POST /account/session/renew', { body: proof });
        toast.close('session-ended');
        resumeSession(before, token);
      }}
      onDone={() => {
        toast.success(`This browser stays signed in for ${SESSION_MOST_DAYS} days.`);
        void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
        onClose();
      }}
    />
  );
}
