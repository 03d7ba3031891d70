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

/** "87.5 %" */
export const percentText = (percent: number | null): string =>
  percent === null ? DASH : `${numberText(percent, Number.isInteger(percent) ? 0 : 1)} %`;
