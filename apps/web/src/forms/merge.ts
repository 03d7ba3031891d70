/** Whether two values of a form are the same to a person: "5" as typed is the 5 of the record, and nothing is blank. */
export function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) => {
    if (typeof part === 'number') return String(part);
    if (typeof part === 'string') return part.trim();
    if (part && typeof part === 'object' && !Array.isArray(part))
      return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
    return part ?? '';
  });
}

/** The fields whose value is another now. */
export function changed<V extends object>(before: V, now: V): (keyof V & string)[] {
  const names = Object.keys(now) as (keyof V & string)[];
  return names.filter((name) => !isSame(before[name], now[name]));
}

export type Side = 'mine' | 'theirs';

/** A record that two people changed: what it held, what I entered, and what somebody else saved meanwhile. */
export interface Conflict<V> {
  base: V;
  mine: V;
  theirs: V;
  /** Of what somebody else saved. */
  version: number;
}

/** The fields that somebody else changed to something else than mine. What I alone changed is no question. */
export function differing<V extends object>({ base, mine, theirs }: Conflict<V>): (keyof V & string)[] {
  const names = Object.keys(mine) as (keyof V & string)[];
  return names.filter((name) => !isSame(mine[name], theirs[name]) && !isSame(base[name], theirs[name]));
}

/** What to take of a field unless a person says otherwise: theirs where I changed nothing, else mine. */
export function proposed<V extends object>({ base, mine }: Conflict<V>, name: keyof V): Side {
  return isSame(base[name], mine[name]) ? 'theirs' : 'mine';
}

export function merged<V extends object>(
  { mine, theirs }: Conflict<V>,
  sides: Partial<Record<keyof V, Side>>,
): V {
  const names = Object.keys(mine) as (keyof V)[];
  return Object.fromEntries(
    names.map((name) => [name, sides[name] === 'theirs' ? theirs[name] : mine[name]]),
  ) as V;
}
