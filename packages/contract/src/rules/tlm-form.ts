import { validatePerson } from './account-form.ts';
import { all, atLeast, atMost, line, required, type Rule } from './form-rules.ts';

/** Who asks for tank telemetry, as typed. */
export interface TlmForm {
  readonly name: string;
  readonly email: string;
  readonly countryCode: number | string | null;
  readonly mobile: string;
  readonly farmName: string;
  readonly tanks: number | string;
  readonly notes?: string | undefined;
}

export type TlmErrors = Partial<Record<keyof TlmForm, string>>;

/** Tanks that one person can ask for. */
export const TLM_TANKS_MAX = 1000;

const whole: Rule = (value) =>
  Number.isInteger(Number(value)) ? null : 'Number of tanks must be a whole number.';
const farmName = all(required('Farm name'), line('Farm name', 100));
const tanks = all(
  required('Number of tanks'),
  whole,
  atLeast('Number of tanks', 1),
  atMost('Number of tanks', TLM_TANKS_MAX),
);

/** One sentence for each field that is wrong; none when it can be sent. Browser and server both ask here. */
export function validateTlm(form: TlmForm): TlmErrors {
  const own = { farmName: farmName(form.farmName), tanks: tanks(form.tanks) };
  return {
    ...validatePerson(form),
    ...Object.fromEntries(Object.entries(own).filter(([, sentence]) => sentence !== null)),
  };
}
