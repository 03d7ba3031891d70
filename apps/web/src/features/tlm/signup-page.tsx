import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { validateTlm, TLM_TANKS_MAX } from '@headrace/contract/rules/tlm-form';
import { call } from '../../api/client.ts';
import { AreaField, FormSection, NumberField, TextField, Wide } from '../../forms/fields.tsx';
import { RecordForm } from '../../forms/record-form.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { CountryCodeField, MobileField } from '../accounts/phone-fields.tsx';
import { TlmFrame } from './tlm-frame.tsx';
import classes from './tlm.module.css';

const nothing = {
  name: '',
  email: '',
  countryCode: '',
  mobile: '',
  farmName: '',
  tanks: '' as number | string,
  notes: '',
};
type Values = typeof nothing;

const ask = (values: Values) =>
  call('POST /tlm/signup', {
    body: {
      name: values.name.trim(),
      email: values.email.trim(),
      countryCode: Number(values.countryCode),
      mobile: values.mobile.trim(),
      farmName: values.farmName.trim(),
      tanks: Number(values.tanks),
      ...(values.notes.trim() && { notes: values.notes.trim() }),
    },
  });

/** `/tlm/signup`: asks the operator for tank telemetry. */
export function TlmSignupPage() {
  const [isSent, setIsSent] = useState(false);
  if (!isSent) return <SignupForm onSent={() => setIsSent(true)} />;
  return (
    <TlmFrame title="Thank you">
      <p className={classes.lead} role="status">
        Your details are with us, and somebody will be in touch. Nothing is ordered yet.
      </p>
      <Link to="/tlm" className={classes.link}>
        Back to tank telemetry
      </Link>
    </TlmFrame>
  );
}

function SignupForm({ onSent }: { onSent: () => void }) {
  const form = useRecordForm({
    draftKey: null,
    initial: nothing,
    validate: validateTlm,
    save: ask,
    onSaved: onSent,
  });
  const tanks = form.field('tanks');
  return (
    <TlmFrame title="Ask for tank telemetry">
      <p className={classes.lead}>Tell us how to reach you and how many tanks you have.</p>
      <RecordForm form={form} label="Ask for tank telemetry" save="Send" saving="Sending…" back="/tlm">
        <FormSection>
          <TextField {...form.field('name')} label="Name" required autoComplete="name" maxLength={100} />
          <TextField
            {...form.field('email')}
            label="E-mail"
            required
            inputMode="email"
            autoComplete="email"
            maxLength={254}
          />
          <CountryCodeField {...form.field('countryCode')} />
          <MobileField {...form.field('mobile')} />
          <TextField {...form.field('farmName')} label="Farm name" required maxLength={100} />
          <NumberField
            {...tanks}
            onChange={(value) => tanks.onChange(value ?? '')}
            label="Number of tanks"
            hint={`1 to ${TLM_TANKS_MAX}`}
            required
            isWhole
          />
          <Wide>
            <AreaField {...form.field('notes')} label="Notes" hint="Sizes, places, pumps: what helps us." />
          </Wide>
        </FormSection>
      </RecordForm>
    </TlmFrame>
  );
}
