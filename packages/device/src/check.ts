import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

export type Checked<T> = { ok: true; value: T } | { ok: false; reason: string };
export type Checker<T> = (value: unknown, at?: string) => Checked<T>;

/** A validator compiled once. Its reason names the member: `items/3/values/levelMm must be either number or null`. */
export function checker<S extends TSchema>(schema: S): Checker<Static<S>> {
  const validator = Compile(schema);
  return (value, at = '') => {
    if (validator.Check(value)) return { ok: true, value };
    const error = validator.Errors(value)[0];
    const where = `${at}${error?.instancePath ?? ''}`.replace(/^\//, '');
    return { ok: false, reason: `${where || 'message'} ${error?.message ?? 'is not valid'}`.slice(0, 400) };
  };
}
