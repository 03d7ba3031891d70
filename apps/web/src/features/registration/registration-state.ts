import type { FarmValues } from '../farms/farm-values.ts';
import type { RegistrationType } from './steps.ts';

/** What the contact step asks. */
export interface ContactValues {
  name: string;
  email: string;
  /** 64 or 61; empty: not chosen. */
  countryCode: string;
  mobile: string;
  password: string;
  passwordConfirmation: string;
  notes: string;
  newsletter: boolean;
}

interface RegistrationState {
  /** As what the terms were accepted; null: not yet. */
  acceptedBy: RegistrationType | null;
  contact: ContactValues | null;
  /** What stands in the forms of the steps, also where it isn't complete. */
  typedContact: ContactValues | null;
  typedFarm: FarmValues | null;
}

const nothing: RegistrationState = {
  acceptedBy: null,
  contact: null,
  typedContact: null,
  typedFarm: null,
};

/** Of the steps so far. In memory alone: it holds a password, and a reload begins anew. */
let state = nothing;

export const registration = (): RegistrationState => state;

export function keepRegistration(patch: Partial<RegistrationState>): void {
  state = { ...state, ...patch };
}

/**
 * The terms are accepted as another kind of account: what was typed as the first stays, but for the newsletter. It is on at
 * first for farm delegates alone (spec 1 §2.7).
 */
export function acceptTermsAs(type: RegistrationType): void {
  const { acceptedBy, typedContact } = state;
  const newsletter = type === 'delegate';
  keepRegistration({
    acceptedBy: type,
    ...(acceptedBy !== type && { typedContact: { ...(typedContact ?? noContact), newsletter } }),
  });
}

export function forgetRegistration(): void {
  state = nothing;
}

export const noContact: ContactValues = {
  name: '',
  email: '',
  countryCode: '',
  mobile: '',
  password: '',
  passwordConfirmation: '',
  notes: '',
  newsletter: false,
};
