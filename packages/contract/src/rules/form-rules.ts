/**
 * The rules of forms, as pure functions that both sides use: null when the value passes, else one sentence that says
 * what is wrong with the field and what to enter. spec 1 §5
 */
export type Rule = (value: unknown) => string | null;

/** A rule that has to ask somebody, as whether an e-mail address is taken. */
export type AsyncRule = (value: unknown) => Promise<string | null>;

/** Empty list, nothing, blank text and zero all count as empty. */
export function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (typeof value === 'string') return value.trim() === '';
  return value === undefined || value === null || value === 0;
}

export const required =
  (label: string): Rule =>
  (value) =>
    isEmpty(value) ? `${label} is required.` : null;

/** Lengths are measured after trimming; nothing entered is the business of `required`. */
export const minLength =
  (label: string, length: number): Rule =>
  (value) =>
    isEmpty(value) || trimmed(value).length >= length
      ? null
      : `${label} must have at least ${length} characters.`;

export const maxLength =
  (label: string, length: number): Rule =>
  (value) =>
    trimmed(value).length <= length ? null : `${label} can have at most ${length} characters.`;

/** What a screen can't show: control characters and halves of characters. `isMultiline`: line breaks and tabs may be in it. */
export const printable =
  (label: string, isMultiline = false): Rule =>
  (value) => {
    const text = isMultiline ? trimmed(value).replaceAll(/[\t\r\n]/g, ' ') : trimmed(value);
    return /[\p{Cc}\p{Cs}]/u.test(text)
      ? `${label} holds a character that can't be shown. Please type it again.`
      : null;
  };

/** Text of one line. */
export const line = (label: string, length: number): Rule => all(printable(label), maxLength(label, length));

/** Text of several lines. */
export const lines = (label: string, length: number): Rule =>
  all(printable(label, true), maxLength(label, length));

/** No blanks, nor marks that mean something in a mail's header. */
const emailPattern = /^[^\s@,;:<>()[\]\\"]+@[^\s@.,;:<>()[\]\\"]+(\.[^\s@.,;:<>()[\]\\"]+)+$/;
export const email =
  (label: string): Rule =>
  (value) =>
    isEmpty(value) || emailPattern.test(trimmed(value)) ? null : `${label} must be an e-mail address.`;

export const isEqual =
  (label: string, other: () => unknown, otherLabel: string): Rule =>
  (value) =>
    value === other() ? null : `${label} must be the same as ${otherLabel}.`;

export const mobile =
  (label: string): Rule =>
  (value) =>
    isEmpty(value) || /^\d{8,10}$/.test(trimmed(value)) ? null : `${label} must have 8 to 10 digits.`;

/** Bounds pass what is empty. */
export const atLeast =
  (label: string, bound: number, unit = ''): Rule =>
  (value) =>
    isBlank(value) || Number(value) >= bound ? null : `${label} can't be less than ${bound}${unit}.`;

export const atMost =
  (label: string, bound: number, unit = ''): Rule =>
  (value) =>
    isBlank(value) || Number(value) <= bound ? null : `${label} can't be more than ${bound}${unit}.`;

export const isNumber =
  (label: string): Rule =>
  (value) =>
    isBlank(value) || Number.isFinite(Number(value)) ? null : `${label} must be a number.`;

/**
 * An error when `isFine` says no. Nothing entered is the business of `required`; a question that can't be answered now
 * passes, since the server asks again when the form is saved.
 */
export const customAsync =
  (fieldError: string, isFine: (value: unknown) => Promise<boolean>): AsyncRule =>
  async (value) => {
    if (isEmpty(value)) return null;
    const fine = await isFine(value).catch(() => true);
    return fine ? null : fieldError;
  };

export const isAny =
  (label: string, choices: readonly unknown[]): Rule =>
  (value) =>
    choices.includes(value) ? null : `Please choose ${label}.`;

/** Two letters or digits, a colon, two letters or digits. */
export const radioFarmId =
  (label = 'Farm ID'): Rule =>
  (value) =>
    isEmpty(value) || /^[0-9A-Za-z]{2}:[0-9A-Za-z]{2}$/.test(trimmed(value))
      ? null
      : `${label} must look like 01:01.`;

export const radioChannel =
  (label = 'Channel'): Rule =>
  (value) => {
    if (isBlank(value)) return null;
    const channel = Number(value);
    const isOne =
      Number.isInteger(channel) && ((channel >= 1 && channel <= 9) || (channel >= 16 && channel <= 25));
    return isOne ? null : `${label} must be 1 to 9 or 16 to 25.`;
  };

/** The first validation error of several rules. */
export const all =
  (...rules: readonly Rule[]): Rule =>
  (value) => {
    for (const rule of rules) {
      const fieldError = rule(value);
      if (fieldError) return fieldError;
    }
    return null;
  };

const trimmed = (value: unknown) =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
const isBlank = (value: unknown) => trimmed(value) === '';
