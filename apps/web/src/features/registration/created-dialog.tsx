import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { signIn } from '../../api/session.ts';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import forms from '../../forms/forms.module.css';
import { forgetRegistration } from './registration-state.ts';
import type { Created } from './use-created.ts';

/** The end of registration. Closing it goes on: home, or to where the person came from. */
export function CreatedDialog({ result: { email, login, failure } }: { result: Created }) {
  const navigate = useNavigate();
  const goOn = () => {
    forgetRegistration();
    // The route leads on when somebody is signed in.
    if (login) signIn(login);
    else void navigate({ to: '/' });
  };
  return (
    <Dialog title="Account created" onClose={goOn}>
      <p className={forms.text}>
        We mailed a link to {email}. Follow it to confirm the address; it works for 7 days.
      </p>
      {failure && <p className={forms.text}>{failure}</p>}
      <Ways>
        <Button onClick={goOn} data-autofocus>
          {login ? 'Continue' : 'Go to the home page'}
        </Button>
      </Ways>
    </Dialog>
  );
}
