import { useState } from 'react';
import type { LoginReply } from '@headrace/contract/accounts';
import { call } from '../../api/client.ts';
import { signInFailure } from '../accounts/sign-in.ts';

/** The account is made. `login`: it is signed in when the dialog is closed; else `failure` says why it isn't. */
export interface Created {
  email: string;
  login: LoginReply | null;
  failure: string | null;
}

/** After an account was made: signs in to it with the password that was typed. */
export function useCreated() {
  const [result, setResult] = useState<Created | null>(null);
  const signInAs = async (email: string, password: string) => {
    try {
      const login = await call('POST /account/auth', { body: { email, password } });
      // What was made a moment ago has no second step.
      setResult({ email, login: 'secondStep' in login ? null : login, failure: null });
    } catch (error) {
      setResult({ email, login: null, failure: signInFailure(error) });
    }
  };
  return { result, signInAs };
}
