import { PasswordInput } from '@mantine/core';
import { PASSWORD_MIN } from '@headrace/contract/limits';
import type { FieldProps } from '../../forms/use-record-form.ts';
import classes from './password-field.module.css';

/** From so many characters on a password is long enough to be left alone. */
const LONG = 14;
const FAIR = 10;

export interface PasswordFieldProps extends FieldProps<string> {
  label: string;
  autoComplete: 'current-password' | 'new-password';
  /** Shows how long it is, and advises. */
  isMeasured?: boolean | undefined;
}

/** A password that can be shown while it is typed. */
export function PasswordField({ onChange, isMeasured = false, ...rest }: PasswordFieldProps) {
  return (
    <div>
      <PasswordInput
        {...rest}
        // The kit marks the box round the input, not the input.
        aria-invalid={rest.error !== undefined}
        required
        maxLength={256}
        onChange={(event) => onChange(event.currentTarget.value)}
        visibilityToggleButtonProps={{ 'aria-label': `Show or hide: ${rest.label}`, tabIndex: 0 }}
      />
      {isMeasured && <Meter password={rest.value} />}
    </div>
  );
}

/** Advice, not a rule: the rule is 6 characters. */
function Meter({ password }: { password: string }) {
  const { level, text } = advice(password);
  return (
    <div className={classes.meter} data-level={level}>
      <span className={classes.bar} aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      <span role="status">{text}</span>
    </div>
  );
}

/** How a password of this length fares. Length counts for more than signs and numbers do. */
export function advice(password: string): { level: 0 | 1 | 2 | 3; text: string } {
  const { length } = password.trim();
  if (length === 0)
    return { level: 0, text: `At least ${PASSWORD_MIN} characters; three or four words are better.` };
  if (length < FAIR) return { level: 1, text: `Short: ${LONG} characters or more are far harder to guess.` };
  if (length < LONG) return { level: 2, text: 'Fair. A word more makes it strong.' };
  return { level: 3, text: 'Long.' };
}
