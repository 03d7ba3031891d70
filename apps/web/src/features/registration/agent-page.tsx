import { useNavigate, useSearch } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { RecordForm } from '../../forms/record-form.tsx';
import { TERMS_DATE } from '../legal/product.ts';
import { CreatedDialog } from './created-dialog.tsx';
import { PersonFields } from './person-fields.tsx';
import { RegistrationFrame } from './registration-frame.tsx';
import { useCreated } from './use-created.ts';
import { personOf, usePersonForm } from './use-person-form.ts';

/** `/register/agent`: all that is asked of a farm delegate. */
export function AgentPage() {
  const { redirect } = useSearch({ from: '/register/agent' });
  const navigate = useNavigate();
  const created = useCreated();
  const { form, emailTaken, isReady } = usePersonForm(
    async (values) => {
      await call('POST /agent/register', { body: { ...personOf(values), acceptedTerms: TERMS_DATE } });
      return values;
    },
    ({ email, password }) => void created.signInAs(email.trim(), password),
  );
  const cancel = () => void navigate({ to: '/login', search: { redirect } });
  return (
    <RegistrationFrame title="Farm Delegate">
      <RecordForm
        form={form}
        label="Farm Delegate"
        save="Register"
        saving="Registering…"
        isSaveDisabled={!isReady}
        back="/login"
        cancel={{ text: 'Cancel', go: cancel }}
      >
        <PersonFields form={form} emailTaken={emailTaken} asksNotes={false} />
      </RecordForm>
      {created.result && <CreatedDialog result={created.result} />}
    </RegistrationFrame>
  );
}
