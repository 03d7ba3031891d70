import { Suspense, useState, type FormEvent } from 'react';
import { Alert, Button, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { SecondStepAsked } from '@headrace/contract/accounts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { lazyAgain } from '../../ui/lazy-again.ts';
import { FailedLine } from '../../ui/state-view.tsx';
import { globalSettingsQuery } from '../../preferences/settings.queries.ts';
import { EntryFrame } from './entry-frame.tsx';
import { emailFault, passwordFault } from './login-rules.ts';
import type { SecondStepFormProps } from './second-step-form.tsx';
import { enterWith, signInWith } from './sign-in.ts';
import classes from './entry.module.css';

/** Not for who signs in with the password alone. */
const passkeyButton = lazyAgain(
  () => import('./passkey-button.tsx').then((m) => m.PasskeyButton),
  () => null,
);
const secondStepForm = lazyAgain<SecondStepFormProps & { onAgain: () => void }>(
  () => import('./second-step-form.tsx').then((m) => m.SecondStepForm),
  ({ onAgain }) => <FailedLine text="The second step couldn't be loaded" onRetry={onAgain} />,
);

const DEMO = { email: 'owner@headrace.test', password: 'headrace' };

/** Sign in. The route leads on: home, or to where the person wanted to go. */
export function LoginPage() {
  const globals = useQuery(globalSettingsQuery).data;
  const [asked, setAsked] = useState<SecondStepAsked | null>(null);
  const [why, setWhy] = useState<string | null>(null);
  const PasskeyButton = passkeyButton.current;
  const SecondStepForm = secondStepForm.current;
  const onOver = (text: string | null) => {
    setWhy(text);
    setAsked(null);
  };
  if (asked)
    return (
      <EntryFrame>
        <Suspense>
          <SecondStepForm
            asked={asked}
            onSignedIn={enterWith}
            onOver={onOver}
            onAgain={() => setAsked({ ...asked })}
          />
        </Suspense>
      </EntryFrame>
    );
  return (
    <EntryFrame>
      <LoginForm isDemo={globals?.demo ?? false} why={why} onAsked={setAsked} />
      <Links mayRegister={globals?.newAccountCreationGlobal ?? false} />
      <Suspense>
        <PasskeyButton onSignedIn={enterWith} />
      </Suspense>
    </EntryFrame>
  );
}

function Links({ mayRegister }: { mayRegister: boolean }) {
  const { redirect } = useSearch({ strict: false });
  return (
    <div className={classes.links}>
      <Link to="/forgot-password">Forgot your password?</Link>
      {mayRegister && (
        <Link to="/register/account-type" search={{ redirect }}>
          Create an account
        </Link>
      )}
    </div>
  );
}

interface LoginFormProps {
  isDemo: boolean;
  /** Why one is back at the first step. */
  why: string | null;
  onAsked: (asked: SecondStepAsked) => void;
}

function LoginForm({ isDemo, why, onAsked }: LoginFormProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [isShown, setIsShown] = useState(false);
  const { failure, isBusy, submit } = useSubmit(why, onAsked);
  const faults = { email: emailFault(email), password: passwordFault(password) };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setIsShown(true);
    if (!faults.email && !faults.password) void submit(email.trim(), password);
  };
  return (
    <form className={classes.form} onSubmit={onSubmit} noValidate>
      <h1 className={classes.title}>Sign in</h1>
      {failure && (
        <Alert
          role="alert"
          className={classes.failure}
          icon={<ConditionDot condition="issue" size={18} label={null} />}
        >
          {failure}
        </Alert>
      )}
      <TextInput
        label="E-mail"
        type="email"
        name="email"
        autoComplete="username"
        inputMode="email"
        autoCapitalize="none"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={isShown && faults.email}
      />
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={isShown && faults.password}
        aria-invalid={isShown && faults.password !== null}
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
      />
      <Button type="submit" size="lg" fullWidth loading={isBusy}>
        Sign in
      </Button>
      {isDemo && (
        <div className={classes.demo}>
          <p>This is a demo: its farms are simulated, and alive.</p>
          <Button variant="default" disabled={isBusy} onClick={() => void submit(DEMO.email, DEMO.password)}>
            Use the demo farm
          </Button>
        </div>
      )}
    </form>
  );
}

function useSubmit(why: string | null, onAsked: LoginFormProps['onAsked']) {
  const [failure, setFailure] = useState(why);
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (email: string, password: string) => {
    setIsBusy(true);
    setFailure(null);
    const result = await signInWith(email, password);
    setIsBusy(false);
    if ('asked' in result) onAsked(result.asked);
    else if ('failure' in result) setFailure(result.failure);
  };
  return { failure, isBusy, submit };
}
