import { useState, type FormEvent } from 'react';
import { Alert, Button, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { Logo } from '../../ui/logo.tsx';
import { globalSettingsQuery } from '../settings/settings.queries.ts';
import { emailFault, passwordFault } from './login-rules.ts';
import { signInWith } from './sign-in.ts';
import { Valley } from './valley.tsx';
import classes from './login-page.module.css';

const DEMO = { email: 'owner@headrace.test', password: 'headrace' };

/** Sign in. The route leads on: home, or to where the person wanted to go. */
export function LoginPage() {
  const isDemo = useQuery(globalSettingsQuery).data?.demo ?? false;
  return (
    <div className={classes.page}>
      <div className={classes.picture}>
        <Valley />
      </div>
      <div className={classes.panel}>
        <div className={classes.brand}>
          <Logo size={44} />
          <div>
            <div className={classes.name}>Headrace</div>
            <div className={classes.claim}>Your farm's water, as it is now.</div>
          </div>
        </div>
        <LoginForm isDemo={isDemo} />
      </div>
    </div>
  );
}

function LoginForm({ isDemo }: { isDemo: boolean }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [isShown, setIsShown] = useState(false);
  const { failure, isBusy, submit } = useSubmit();
  const faults = { email: emailFault(email), password: passwordFault(password) };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setIsShown(true);
    if (!faults.email && !faults.password) void submit(email.trim(), password);
  };
  const fillDemo = () => {
    setEmail(DEMO.email);
    setPassword(DEMO.password);
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
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password', tabIndex: 0 }}
      />
      <Button type="submit" size="lg" fullWidth loading={isBusy}>
        Sign in
      </Button>
      {isDemo && (
        <div className={classes.demo}>
          <p>This is a demo: its farms are simulated, and alive.</p>
          <Button variant="default" onClick={fillDemo}>
            Use the demo farm
          </Button>
        </div>
      )}
    </form>
  );
}

function useSubmit() {
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const submit = async (email: string, password: string) => {
    setIsBusy(true);
    setFailure(null);
    const text = await signInWith(email, password);
    setIsBusy(false);
    setFailure(text);
  };
  return { failure, isBusy, submit };
}
