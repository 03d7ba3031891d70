import { useNavigate, useSearch } from '@tanstack/react-router';
import { RecordForm } from '../../forms/record-form.tsx';
import { PersonFields } from './person-fields.tsx';
import { RegistrationFrame } from './registration-frame.tsx';
import { keepRegistration } from './registration-state.ts';
import { refuseTaken } from './use-email-check.ts';
import { usePersonForm } from './use-person-form.ts';

/** `/register/contact`: the first step of a farm owner. */
export function ContactPage() {
  const { redirect } = useSearch({ from: '/register/contact' });
  const navigate = useNavigate();
  const { form, emailTaken } = usePersonForm(
    async (values) => {
      await refuseTaken(values.email);
      return values;
    },
    (contact) => {
      keepRegistration({ contact });
      void navigate({ to: '/register/farm', search: { redirect } });
    },
  );
  const cancel = () => void navigate({ to: '/login', search: { redirect } });
  return (
    <RegistrationFrame title="Contact" step="Step 1 of 2">
      <RecordForm
        form={form}
        label="Contact"
        save="Next"
        saving="Checking…"
        back="/login"
        cancel={{ text: 'Cancel', go: cancel }}
      >
        <PersonFields form={form} emailTaken={emailTaken} asksNotes />
      </RecordForm>
    </RegistrationFrame>
  );
}
