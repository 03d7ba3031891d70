import { useState, type ReactNode } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnProof, Passkey, SecondStepState } from '@headrace/contract/second-step';
import { call } from '../../api/client.ts';
import { Age } from '../../ui/age.tsx';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { toast } from '../../ui/toasts.ts';
import { FarmsThatShut } from './farms-that-shut.tsx';
import { secondStepQuery } from './account.queries.ts';
import { ProofDialog } from './proof-dialog.tsx';
import { hasPasskeysHere, makePasskey } from './passkeys.ts';
import { RecoveryCodesDialog } from './recovery-codes.tsx';
import { RenamePasskey } from './rename-passkey.tsx';
import { SetUpApp } from './set-up-app.tsx';
import account from './account.module.css';
import classes from './second-step.module.css';

const FEW_CODES = 3;

type Task =
  | { kind: 'app' | 'passkey' | 'remove-app' | 'new-codes' }
  | { kind: 'remove-passkey' | 'rename-passkey'; passkey: Passkey }
  /** `text` is told once they are kept: before it would lie over them. */
  | { kind: 'codes'; codes: readonly string[]; text: string };

/** Two-step sign-in: what there is of it, and setting it up. */
export function SecondStepPanel() {
  const query = useQuery(secondStepQuery);
  const [task, setTask] = useState<Task | null>(null);
  return (
    <section className={account.panel} aria-labelledby="second-step">
      <h2 id="second-step">Two-step sign-in</h2>
      <StateView
        query={query}
        failed="How you sign in couldn't be loaded"
        skeleton={<Skeleton blocks={1} blockPx={140} />}
      >
        {(state) => <Steps state={state} onTask={setTask} />}
      </StateView>
      {task && query.data && <TaskDialog state={query.data} task={task} onTask={setTask} />}
    </section>
  );
}

function Steps({ state, onTask }: { state: SecondStepState; onTask: (task: Task) => void }) {
  const { since, hasApp, passkeys, recoveryCodesLeft: left } = state;
  const hasSite = hasPasskeysHere(state);
  return (
    <>
      <p>
        {since === null
          ? 'Off: whoever knows your password gets in. With a second step they need your phone or key as well.'
          : 'On: signing in takes your password and a code of the app, or a passkey.'}
      </p>
      <ul className={account.sessions}>
        {hasApp && (
          <Row title="Authenticator app" note="Codes that change every 30 seconds">
            <PlainButton onClick={() => onTask({ kind: 'remove-app' })} label="Remove… the authenticator app">
              Remove…
            </PlainButton>
          </Row>
        )}
        {passkeys.map((passkey) => (
          <Row key={passkey.id} title={`Passkey of ${passkey.name}`} note={<PasskeyNote passkey={passkey} />}>
            <PlainButton
              onClick={() => onTask({ kind: 'rename-passkey', passkey })}
              label={`Rename… the passkey of ${passkey.name}`}
            >
              Rename…
            </PlainButton>
            <PlainButton
              onClick={() => onTask({ kind: 'remove-passkey', passkey })}
              label={`Remove… the passkey of ${passkey.name}`}
            >
              Remove…
            </PlainButton>
          </Row>
        ))}
        {since !== null && (
          <Row
            title={
              <>
                {left < FEW_CODES && <ConditionDot condition="caution" size={18} label={null} />} Recovery
                codes
              </>
            }
            note={`${left === 1 ? '1 is' : `${left} are`} left, for when your phone is lost`}
          >
            <PlainButton onClick={() => onTask({ kind: 'new-codes' })}>Make new ones…</PlainButton>
          </Row>
        )}
      </ul>
      <div className={classes.row}>
        {!hasApp && (
          <PlainButton onClick={() => onTask({ kind: 'app' })}>Set up an authenticator app…</PlainButton>
        )}
        {hasSite && <PlainButton onClick={() => onTask({ kind: 'passkey' })}>Add a passkey…</PlainButton>}
      </div>
      {!hasSite && passkeys.length === 0 && (
        <p className={classes.aside}>
          {state.passkeySite === null
            ? 'Passkeys need an address with a name and https, which this server has not.'
            : `Passkeys are made at ${state.passkeySite}, in a browser that has them.`}
        </p>
      )}
    </>
  );
}

interface RowProps {
  title: ReactNode;
  note: ReactNode;
  children: ReactNode;
}

const Row = ({ title, note, children }: RowProps) => (
  <li className={account.session}>
    <div>
      <div className={account.browser}>{title}</div>
      <div className={account.where}>{note}</div>
    </div>
    {children}
  </li>
);

const PasskeyNote = ({ passkey }: { passkey: Passkey }) => (
  <>
    <Age at={passkey.createdAt}>added</Age>
    {passkey.lastUsedAt !== null && (
      <>
        {' · '}
        <Age at={passkey.lastUsedAt}>last used</Age>
      </>
    )}
    {passkey.isSynced && ' · on several of your devices'}
  </>
);

interface TaskDialogProps {
  state: SecondStepState;
  task: Task;
  onTask: (task: Task | null) => void;
}

function TaskDialog({ state, task, onTask }: TaskDialogProps) {
  const queryClient = useQueryClient();
  const onClose = () => onTask(null);
  /** With codes to be kept, where there are new ones. */
  const onDone = (text: string) => (codes: string[]) => {
    if (codes.length === 0) toast.success(text);
    void queryClient.invalidateQueries({ queryKey: secondStepQuery.queryKey });
    // Farms may be open now whose owners ask for it.
    void queryClient.invalidateQueries({ queryKey: ['sharers-second-step'] });
    onTask(codes.length > 0 ? { kind: 'codes', codes, text } : null);
  };
  switch (task.kind) {
    case 'codes':
      return (
        <RecoveryCodesDialog
          codes={task.codes}
          onClose={() => {
            onClose();
            toast.success(task.text);
          }}
        />
      );
    case 'app':
      return <SetUpApp state={state} onDone={onDone('The authenticator app is set up.')} onClose={onClose} />;
    case 'passkey':
      return (
        <ProofDialog
          title="Add a passkey"
          save="Go on"
          saving="Asking…"
          asks={state}
          run={addPasskey}
          onDone={onDone('The passkey is added.')}
          onClose={onClose}
        >
          <p className={classes.text}>
            A passkey signs you in with your finger, your face or the PIN of your device, without the
            password.
          </p>
        </ProofDialog>
      );
    case 'remove-app':
      return (
        <ProofDialog
          title="Remove the authenticator app?"
          save="Remove"
          saving="Removing…"
          asks={state}
          run={async (proof) => void (await call('POST /account/authenticator/remove', { body: proof }))}
          onDone={() => onDone('The authenticator app is removed.')([])}
          onClose={onClose}
        >
          <p className={classes.text}>Its codes open nothing any more.{lastText(state)}</p>
          {isLast(state) && <FarmsThatShut />}
        </ProofDialog>
      );
    case 'rename-passkey':
      return (
        <RenamePasskey
          asks={state}
          passkey={task.passkey}
          onDone={() => onDone('The passkey is renamed.')([])}
          onClose={onClose}
        />
      );
    case 'remove-passkey': {
      const { id, name } = task.passkey;
      return (
        <ProofDialog
          title={`Remove the passkey of ${name}?`}
          save="Remove"
          saving="Removing…"
          asks={state}
          run={async (proof) => void (await call('POST /account/passkey/remove', { body: { id, ...proof } }))}
          onDone={() => onDone('The passkey is removed.')([])}
          onClose={onClose}
        >
          <p className={classes.text}>It signs nobody in any more.{lastText(state)}</p>
          {isLast(state) && <FarmsThatShut />}
        </ProofDialog>
      );
    }
    case 'new-codes':
      return (
        <ProofDialog
          title="Make new recovery codes?"
          save="Make new codes"
          saving="Making…"
          asks={state}
          run={async (proof) => (await call('POST /account/recovery-codes', { body: proof })).recoveryCodes}
          onDone={onDone('New recovery codes are made.')}
          onClose={onClose}
        >
          <p className={classes.text}>The codes that you have open nothing any more.</p>
        </ProofDialog>
      );
  }
}

const isLast = ({ hasApp, passkeys }: SecondStepState) => Number(hasApp) + passkeys.length === 1;
const lastText = (state: SecondStepState) =>
  isLast(state) ? ' The password alone signs you in then, and your recovery codes end.' : '';

async function addPasskey(proof: OwnProof): Promise<string[]> {
  const { options } = await call('POST /account/passkey/begin', { body: proof });
  return makePasskey(options);
}
