import { useState } from 'react';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnAccount } from '@headrace/contract/account-details';
import { NO_PASSWORD_TEXT } from '@headrace/contract/texts';
import { ApiError, call, errorText } from '../../api/client.ts';
import { DangerButton } from '../../forms/danger-button.tsx';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { exactTime } from '../../ui/format.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { toast } from '../../ui/toasts.ts';
import { farmsCardQuery } from '../../farm/farms.queries.ts';
import { useSession } from '../../session/use-session.ts';
import { ownAccountQuery, secondStepQuery } from './account.queries.ts';
import { PasswordField } from './password-field.tsx';
import { StepProofFields, useStepProof } from './step-proof.tsx';
import classes from './account.module.css';
import content from '../../forms/dialog-content.module.css';

/** Closing the account, and keeping it while it isn't closed yet. */
export function ClosePanel({ account }: { account: OwnAccount }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section className={classes.panel}>
      <h2>Close account</h2>
      {account.closesAt === null ? (
        <>
          <p>The account is closed for good after 30 days, and after outstanding fees are paid.</p>
          <PlainButton onClick={() => setIsOpen(true)}>Close account…</PlainButton>
        </>
      ) : (
        <Closing closesAt={account.closesAt} />
      )}
      {isOpen && <CloseDialog account={account} onClose={() => setIsOpen(false)} />}
    </section>
  );
}

function Closing({ closesAt }: { closesAt: string }) {
  const queryClient = useQueryClient();
  const keep = useMutation({
    mutationFn: () => call('DELETE /account/close'),
    onSuccess: (account) => {
      queryClient.setQueryData(ownAccountQuery.queryKey, account);
      toast.success('Your account is kept.');
    },
    onError: (error) => toast.error(errorText(error)),
  });
  return (
    <div className={classes.notice} role="status">
      <ConditionDot condition="issue" size={18} label={null} />
      <span>This account will be closed on {exactTime(Date.parse(closesAt))}.</span>
      <PlainButton onClick={() => keep.mutate()} disabled={keep.isPending}>
        Keep my account
      </PlainButton>
    </div>
  );
}

/** Says what goes with the account, and asks for the password. */
function CloseDialog({ account, onClose }: { account: OwnAccount; onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [isAsked, setIsAsked] = useState(false);
  const queryClient = useQueryClient();
  const step = useStepProof(useQuery(secondStepQuery).data);
  const close = useMutation({
    mutationFn: async () => call('POST /account/close', { body: { password, ...(await step.prove()) } }),
    onSuccess: (closing) => {
      queryClient.setQueryData(ownAccountQuery.queryKey, closing);
      onClose();
    },
  });
  const missing = isAsked && password === '' ? 'Type your password first.' : undefined;
  const missingCode = isAsked ? (step.missing ?? undefined) : undefined;
  const isReady = account.hasPassword && password !== '' && step.missing === null && !close.isPending;
  const failed = close.isError ? errorText(close.error) : undefined;
  const isOfCode = close.error instanceof ApiError && close.error.field === 'code';
  return (
    <Dialog title="Close your account?" onClose={onClose}>
      <TakenAlong />
      {account.hasPassword && (
        <div className={content.fields}>
          <PasswordField
            name="password"
            label="Your password"
            autoComplete="current-password"
            value={password}
            error={isOfCode ? missing : (failed ?? missing)}
            onChange={setPassword}
            onBlur={() => undefined}
          />
          <StepProofFields step={step} error={isOfCode ? failed : missingCode} />
        </div>
      )}
      {!account.hasPassword && <p className={classes.text}>{NO_PASSWORD_TEXT}</p>}
      <Ways>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <DangerButton isReady={isReady} onPress={() => close.mutate()} onNotReady={() => setIsAsked(true)}>
          {close.isPending ? 'Closing…' : 'Close account'}
        </DangerButton>
      </Ways>
    </Dialog>
  );
}

/** What is gone after 30 days, said before. */
function TakenAlong() {
  const { type } = useSession();
  if (type === 'AGENT')
    return (
      <p className={classes.text}>
        After 30 days the account is deleted, and your access to the farms that are shared with you ends. The
        farms stay with their owners. Until then you can change your mind here.
      </p>
    );
  return <FarmsTaken />;
}

function FarmsTaken() {
  const farms = useQuery(farmsCardQuery);
  const invites = useQuery({
    queryKey: ['invites'],
    queryFn: async ({ signal }) => (await call('GET /invites', { signal })).invites,
  });
  const query = farms.data ? invites : farms;
  return (
    <StateView<unknown>
      query={query}
      failed="What goes with it couldn't be loaded"
      skeleton={<p className={classes.text}>Looking up what goes with it…</p>}
    >
      {() => {
        const names = (farms.data ?? []).map(({ name }) => name);
        const people = new Set((invites.data ?? []).filter((one) => one.accepted).map(({ email }) => email))
          .size;
        return (
          <>
            <p className={classes.text}>
              After 30 days the account is deleted. With it go your settings
              {names.length > 0 ? ' and these farms, with their devices and readings:' : '.'}
            </p>
            {names.length > 0 && (
              <ul className={classes.taken}>
                {names.map((name) => (
                  <li key={name}>{name}</li>
                ))}
              </ul>
            )}
            {people > 0 && (
              <p className={classes.text}>
                {people === 1
                  ? '1 person they are shared with loses'
                  : `${people} people they are shared with lose`}{' '}
                access then.
              </p>
            )}
            <p className={classes.text}>Until then everything goes on, and you can change your mind here.</p>
          </>
        );
      }}
    </StateView>
  );
}
