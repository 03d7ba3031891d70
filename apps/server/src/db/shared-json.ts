import { remember } from '../remember.ts';

/*
 * Thousands of sprinklers share a few hundred schedules: read, each is one object for all that have it, and is written once. Such an
 * object must not change.
 */

/** An object as JSON. */
export const jsonText = remember((value: object) => JSON.stringify(value));

/** Parsed with `parse`: the same text is the same object. */
export function parseOnce<Value>(parse: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const value = known.get(text) ?? parse(text);
    known.set(text, value);
    return value;
  };
}
