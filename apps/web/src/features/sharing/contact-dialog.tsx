import type { ShareContact } from '@headrace/contract/sharing';
import { FormDialog } from '../../forms/form-dialog.tsx';
import { AreaField, SwitchField, TextField } from '../../forms/fields.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { useSession } from '../../session/use-session.ts';
import { PasswordField } from '../accounts/password-field.tsx';
import { CountryCodeField, MobileField } from '../accounts/phone-fields.tsx';
import { validateContact, contactOf, newContact } from './contact-values.ts';
import classes from './sharing.module.css';

export interface ContactDialogProps {
  /** Addresses that are on the list already. */
  known: readonly string[];
  onAdd: (contact: ShareContact) => void;
  onClose: () => void;
}

/** Someone to share with for the first time. Nothing is sent yet, and the password is kept nowhere. */
export function ContactDialog({ known, onAdd, onClose }: ContactDialogProps) {
  const { email } = useSession();
  const isMobile = useIsMobile();
  const form = useRecordForm({
    draftKey: null,
    initial: newContact,
    validate: (values) => validateContact(values, email, known),
    save: (values) => Promise.resolve(contactOf(values)),
    onSaved: (contact) => {
      onAdd(contact);
      onClose();
    },
  });
  const { field, values } = form;
  const isPhoneAsked = values.makesAccount || values.countryCode !== '' || values.mobile !== '';
  return (
    <FormDialog
      title="New contact"
      onClose={onClose}
      size={560}
      isFullScreen={isMobile}
      form={form}
      save="Add"
      saving="Adding…"
    >
      <TextField {...field('name')} label="Name" required maxLength={100} />
      <TextField {...field('email')} label="E-mail" required inputMode="email" maxLength={254} />
      <div className={classes.phone}>
        <CountryCodeField {...field('countryCode')} required={isPhoneAsked} />
        <MobileField {...field('mobile')} required={isPhoneAsked} />
      </div>
      <AreaField
        {...field('notes')}
        label="Notes"
        rows={2}
        hint="For yourself: the person doesn't see them."
      />
      <SwitchField
        {...field('makesAccount')}
        label="Make an account for this person now"
        hint="You choose a first password and tell it to the person. At the first sign-in a new one has to be chosen, so yours is of no use afterwards. Otherwise the person makes an account with a password of their own."
      />
      {values.makesAccount && (
        <>
          <PasswordField {...field('password')} label="Password" autoComplete="new-password" isMeasured />
          <PasswordField
            {...field('passwordConfirmation')}
            label="Confirm password"
            autoComplete="new-password"
          />
          <SwitchField
            {...field('newsletter')}
            label="Newsletter"
            hint="News of Headrace by e-mail: only if the person wants it."
          />
        </>
      )}
    </FormDialog>
  );
}
