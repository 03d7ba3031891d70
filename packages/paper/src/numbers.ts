import { enteredDigits } from '@headrace/contract/rules/number-text';
import { DASH } from './made.ts';

const formats = new Map<number, Intl.NumberFormat>();

/** "25,218.4"; a dash for what isn't known. */
export function numberText(value: number | null, digits = 0): string {
  if (value === null || !Number.isFinite(value)) return DASH;
  let format = formats.get(digits);
  if (!format) {
    format = new Intl.NumberFormat('en-NZ', { minimumFractionDigits: digits, maximumFractionDigits: digits });
    formats.set(digits, format);
  }
  const text = format.format(value);
  return /^-0(\.0*)?$/.test(text) ? text.slice(1) : text;
}

/** A figure that somebody entered, with the decimals that it has: "12.25", "1,728". `least`: so many in any case. */
export const enteredText = (value: number, least = 0): string =>
  numberText(value, Math.max(least, enteredDigits(value)));

/** "87.5 %" */
export const percentText = (percent: number | null): string =>
  percent === null ? DASH : `${numberText(percent, Number.isInteger(percent) ? 0 : 1)} %`;
