import { useState } from 'react';
import { TextField, type TextFieldProps } from './fields.tsx';

/** As people in New Zealand and Australia write a day; with one digit, dots or hyphens as well. */
const WRITTEN = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/;
const STORED = /^(\d{4})-(\d{2})-(\d{2})$/;

/** "31/12/2027" as "2027-12-31"; what is no day stays as it was typed. */
export function readDay(text: string): string {
  const typed = text.trim();
  const [, date = '', month = '', year = ''] = WRITTEN.exec(typed) ?? [];
  if (!year) return typed;
  const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) ? day : typed;
}

/** "2027-12-31" as "31/12/2027"; anything else as it is. */
export function writeDay(day: string): string {
  const [, year, month, date] = STORED.exec(day) ?? [];
  return year ? `${date}/${month}/${year}` : day;
}

/**
 * A day that is typed as DD/MM/YYYY, whatever the browser's own field would show; `value` is YYYY-MM-DD. What is no day is handed
 * on as it was typed, for the form's rules to say so.
 */
export function DayField({ value, onChange, ...rest }: TextFieldProps) {
  // As typed: "1/2/2027" isn't rewritten under the cursor.
  const [typed, setTyped] = useState(writeDay(value));
  const shown = readDay(typed) === value ? typed : writeDay(value);
  return (
    <TextField
      {...rest}
      inputMode="numeric"
      placeholder="DD/MM/YYYY"
      value={shown}
      onChange={(text) => {
        setTyped(text);
        onChange(readDay(text));
      }}
    />
  );
}
