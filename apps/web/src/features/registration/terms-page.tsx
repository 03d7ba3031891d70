import { useState } from 'react';
import { Button, Switch } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import legal from '../legal/legal.module.css';
import { TERMS_DATE } from '../legal/product.ts';
import { TermsText } from '../legal/terms-of-use.tsx';
import { RegistrationFrame } from './registration-frame.tsx';
import { acceptTermsAs, registration } from './registration-state.ts';
import classes from './registration.module.css';

/** `/register/terms?type=owner|delegate` */
export function TermsPage() {
  const { type = 'owner', redirect } = useSearch({ from: '/register/terms' });
  const [isAccepted, setIsAccepted] = useState(registration().acceptedBy === type);
  const navigate = useNavigate();
  const next = () => {
    acceptTermsAs(type);
    void navigate({ to: type === 'owner' ? '/register/contact' : '/register/agent', search: { redirect } });
  };
  return (
    <RegistrationFrame title="Terms of Use" step={`Last updated ${TERMS_DATE}`}>
      {/* Scrolls by itself, so that it must take the focus for the keyboard. */}
      <section
        className={[classes.terms, legal.text].join(' ')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label="Terms of Use"
      >
        <TermsText />
      </section>
      <div className={classes.accept}>
        <Switch
          size="md"
          label="I accept the Terms of Use"
          checked={isAccepted}
          onChange={(event) => setIsAccepted(event.currentTarget.checked)}
        />
        <Button variant="default" onClick={() => void navigate({ to: '/' })}>
          Cancel
        </Button>
        <Button disabled={!isAccepted} onClick={next}>
          Next
        </Button>
      </div>
    </RegistrationFrame>
  );
}
