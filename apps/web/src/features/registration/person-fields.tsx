import { AreaField, FormSection, SwitchField, TextField, Wide } from '../../forms/fields.tsx';
import type { RecordForm } from '../../forms/use-record-form.ts';
import { PasswordField } from '../accounts/password-field.tsx';
import { CountryCodeField, MobileField } from '../accounts/phone-fields.tsx';
import type { ContactValues } from './registration-state.ts';

export interface PersonFieldsProps {
  form: RecordForm<ContactValues>;
  /** What the server says of the address while it is typed. */
  emailTaken: string | undefined;
  asksNotes: boolean;
}

/** What is asked of everybody who registers. */
export function PersonFields({ form, emailTaken, asksNotes }: PersonFieldsProps) {
  const { field } = form;
  const email = field('email');
  return (
    <FormSection>
      <TextField {...field('name')} label="Name" required autoComplete="name" maxLength={100} />
      <TextField
        {...email}
        error={emailTaken ?? email.error}
        label="E-mail"
        required
        inputMode="email"
        autoComplete="email"
        maxLength={254}
      />
      <CountryCodeField {...field('countryCode')} />
      <MobileField {...field('mobile')} />
      <PasswordField {...field('password')} label="Password" autoComplete="new-password" isMeasured />
      <PasswordField
        {...field('passwordConfirmation')}
        label="Confirm password"
        autoComplete="new-password"
      />
      {asksNotes && (
        <Wide>
          <AreaField {...field('notes')} label="Notes" />
        </Wide>
      )}
      <SwitchField {...field('newsletter')} label="Newsletter" hint="News of Headrace by e-mail." />
    </FormSection>
  );
}
