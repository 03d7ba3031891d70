import { registration } from './registration-state.ts';

export type RegistrationStep = 'terms' | 'contact' | 'farm' | 'agent';
export type RegistrationType = 'owner' | 'delegate';

interface StepSearch {
  type?: RegistrationType | undefined;
  redirect?: string | undefined;
}

/** Where somebody has to go who opens a step without what comes before it; null when nothing is missing. */
export function firstMissing(step: RegistrationStep, { type, redirect }: StepSearch) {
  const { acceptedBy, contact } = registration();
  if (step === 'terms')
    return type === undefined ? ({ to: '/register/account-type', search: { redirect } } as const) : null;
  const needed: RegistrationType = step === 'agent' ? 'delegate' : 'owner';
  if (acceptedBy !== needed) return { to: '/register/terms', search: { type: needed, redirect } } as const;
  if (step === 'farm' && contact === null) return { to: '/register/contact', search: { redirect } } as const;
  return null;
}
