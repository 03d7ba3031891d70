import { useEffect, useState } from 'react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ApiError, call } from '../../api/client.ts';
import { RecordForm } from '../../forms/record-form.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import type { EditorMode } from '../../map/boundary-editor.tsx';
import { validateEntries, entryOf, newFarm, type FarmValues } from '../farms/farm-values.ts';
import { TERMS_DATE } from '../legal/product.ts';
import { CreatedDialog } from './created-dialog.tsx';
import { FarmFields } from './farm-fields.tsx';
import { guideStep, type GuideStep } from './farm-guide.ts';
import { Guide } from './guide.tsx';
import { RegistrationFrame } from './registration-frame.tsx';
import { keepRegistration, noContact, registration } from './registration-state.ts';
import { useCreated } from './use-created.ts';
import { personOf } from './use-person-form.ts';

const TITLE = 'Farm Details';

/** `/register/farm`: the second step of a farm owner, with a guide through it. */
export function FarmPage() {
  const { redirect } = useSearch({ from: '/register/farm' });
  const navigate = useNavigate();
  const created = useCreated();
  const contact = registration().contact ?? noContact;
  const form = useRecordForm<FarmValues, unknown>({
    draftKey: null,
    initial: registration().typedFarm ?? newFarm,
    validate: (values) => validateEntries(values, null),
    save: (values) =>
      call('POST /account/register', {
        body: {
          ...personOf(contact),
          notes: contact.notes,
          acceptedTerms: TERMS_DATE,
          farms: [entryOf(values)],
        },
      }).catch(rethrowAtFarm),
    onSaved: () => void created.signInAs(contact.email.trim(), contact.password),
  });
  const { values } = form;
  useEffect(() => keepRegistration({ typedFarm: values }), [values]);
  const step = guideStep(validateEntries(values, null));
  const [mode, setMode] = useGuidedMode(step);
  const goBack = () => void navigate({ to: '/register/contact', search: { redirect } });
  return (
    <RegistrationFrame title={TITLE} step="Step 2 of 2">
      <Guide step={step} />
      <RecordForm
        form={form}
        label={TITLE}
        save="Create Account"
        saving="Creating…"
        back="/register/contact"
        cancel={{ text: 'Go Back', go: goBack }}
      >
        <FarmFields form={form} mode={mode} onMode={setMode} />
      </RecordForm>
      {created.result && <CreatedDialog result={created.result} />}
    </RegistrationFrame>
  );
}

/** The server names the farm's fields as those of the list it was sent; here they are the form's own. */
function rethrowAtFarm(error: unknown): never {
  if (!(error instanceof ApiError) || error.field === undefined) throw error;
  throw new ApiError(error.status, {
    errorMessage: error.message,
    field: error.field.replace(/^farms\.0\./, ''),
  });
}

/** What the map changes: what the guide's step is about, until somebody chooses otherwise. */
function useGuidedMode(step: GuideStep): [EditorMode, (mode: EditorMode) => void] {
  const [mode, setMode] = useState<EditorMode>(step >= 3 ? 'Drawable' : 'Pin');
  const [seen, setSeen] = useState(step);
  if (seen !== step) {
    setSeen(step);
    if (step === 2) setMode('Pin');
    if (step === 3) setMode('Drawable');
  }
  return [mode, setMode];
}
