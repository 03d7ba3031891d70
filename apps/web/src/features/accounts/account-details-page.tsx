import { useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnAccount } from '@headrace/contract/account-details';
import { required } from '@headrace/contract/rules/form-rules';
import { validatePerson } from '@headrace/contract/rules/account-form';
import { call } from '../../api/client.ts';
import { renewSession } from '../../api/session.ts';
import { AreaField, FormSection, SwitchField, TextField, Wide } from '../../forms/fields.tsx';
import { RecordForm } from '../../forms/record-form.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { StateView } from '../../ui/state-view.tsx';
import { TitleBar } from '../../ui/title-bar.tsx';
import { toast } from '../../ui/toasts.ts';
import { ownAccountQuery, secondStepQuery } from './account.queries.ts';
import { AddressState } from './address-state.tsx';
import { ClosePanel } from './close-account.tsx';
import { DownloadPanel } from './download-data.tsx';
import { PasswordField } from './password-field.tsx';
import { StepProofFields, useStepProof } from './step-proof.tsx';
import { CountryCodeField, MobileField } from './phone-fields.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

const TITLE = 'Account Details';

/** `/account-details` */
export function AccountDetailsPage() {
  const query = useQuery(ownAccountQuery);
  return (
    <>
      <TitleBar title={TITLE} subtitle={query.data?.email} back="/" />
      <StateView
        query={query}
        failed="Your account couldn't be loaded"
        skeleton={<Skeleton blocks={2} blockPx={180} />}
      >
        {(account) => (
          <>
            <AddressState account={account} />
            <DetailsForm key={account.pendingEmail} account={account} />
            <DownloadPanel />
            <ClosePanel account={account} />
          </>
        )}
      </StateView>
    </>
  );
}

const valuesOf = ({ name, email, countryCode, mobile, notes, newsletter }: OwnAccount) => ({
  name,
  email,
  countryCode: String(countryCode ?? ''),
  mobile,
  notes,
  newsletter,
});
type Values = ReturnType<typeof valuesOf>;

const entryOf = ({ countryCode, ...values }: Values) => ({
  ...values,
  name: values.name.trim(),
  email: values.email.trim(),
  mobile: values.mobile.trim(),
  countryCode: Number(countryCode),
});

function DetailsForm({ account }: { account: OwnAccount }) {
  const queryClient = useQueryClient();
  // Beside the form's values: those are kept as a draft.
  const [password, setPassword] = useState('');
  const isMove = ({ email }: Values) => email.trim().toLowerCase() !== account.email;
  const needsPassword = (values: Values) => account.hasPassword && isMove(values);
  const [isMoving, setIsMoving] = useState(false);
  const step = useStepProof(useQuery({ ...secondStepQuery, enabled: isMoving }).data);
  const form = useRecordForm({
    draftKey: 'account',
    initial: valuesOf(account),
    validate: (values) => {
      if (!needsPassword(values)) return validatePerson(values);
      const missing = required('Password')(password);
      return {
        ...validatePerson(values),
        ...(missing && { password: missing }),
        ...(step.missing && { code: step.missing }),
      };
    },
    save: async (values) => {
      const proof = needsPassword(values) ? { password, ...(await step.prove()) } : {};
      return call('POST /account/details', { body: { ...entryOf(values), ...proof } });
    },
    onSaved: (saved) => {
      queryClient.setQueryData(ownAccountQuery.queryKey, saved);
      renewSession({ name: saved.name, email: saved.email, hasMobile: saved.mobile !== '' });
      toast.success('Your account details are saved.');
    },
  });
  const { field } = form;
  if (needsPassword(form.values) && !isMoving) setIsMoving(true);
  return (
    <RecordForm form={form} label={TITLE} back="/">
      <FormSection>
        <TextField {...field('name')} label="Name" required autoComplete="name" maxLength={100} />
        <TextField
          {...field('email')}
          label="E-mail"
          required
          inputMode="email"
          autoComplete="email"
          maxLength={254}
          hint="A new address has to be confirmed by a link that we mail to it. Until then you sign in with this one."
        />
        {needsPassword(form.values) && (
          <>
            <PasswordField
              name="password"
              label="Your password"
              autoComplete="current-password"
              value={password}
              error={form.error('password')}
              onChange={setPassword}
              onBlur={() => undefined}
            />
            <StepProofFields step={step} error={form.error('code')} />
          </>
        )}
        <CountryCodeField {...field('countryCode')} />
        <MobileField {...field('mobile')} />
        <Wide>
          <AreaField {...field('notes')} label="Notes" />
        </Wide>
        <SwitchField {...field('newsletter')} label="Newsletter" hint="News of Headrace by e-mail." />
      </FormSection>
    </RecordForm>
  );
}
