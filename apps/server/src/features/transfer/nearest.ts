/** Suggestions at most. */
const MOST = 3;

/** As people hardly tell names apart: case, blanks, dashes, macrons and zeros in front. */
export const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[\p{M}\s_-]/gu, '')
    .toLowerCase()
    .replace(/^0+(?=.)/, '');

/** Shorter ones have too many neighbours: A1 is no slip of the pen for A2. */
const SHORTEST = 4;

/**
 * Names that are nearly what somebody wrote: the same when folded, else with one character more, fewer or another. Each is found by what
 * is left of both without one character, so that thousands of strangers are looked up among thousands.
 */
export function createNearest(known: () => Iterable<string>) {
  let byRest: ReadonlyMap<string, readonly string[]> | null = null;
  return (wanted: string): string[] => {
    // Most files have no strangers.
    const rests = (byRest ??= namesByRest(known()));
    const key = folded(wanted);
    const found = [...new Set(restsOf(key).flatMap((rest) => rests.get(rest) ?? []))];
    const same = found.filter((name) => folded(name) === key);
    return (same.length > 0 ? same : found.filter((name) => isNear(folded(name), key))).slice(0, MOST);
  };
}

function namesByRest(known: Iterable<string>): Map<string, string[]> {
  const byRest = new Map<string, string[]>();
  for (const name of new Set(known))
    for (const rest of new Set(restsOf(folded(name)))) {
      const names = byRest.get(rest);
      if (names) names.push(name);
      else byRest.set(rest, [name]);
    }
  return byRest;
}

/** The whole, and what is left of it without each of its characters. */
function restsOf(key: string): string[] {
  const text = key.slice(0, 40);
  if (text.length < SHORTEST) return text === '' ? [] : [text];
  return [text, ...Array.from(text, (_character, at) => text.slice(0, at) + text.slice(at + 1))];
}

/** One step apart: two that are alike without a character each may be two steps apart. */
function isNear(one: string, other: string): boolean {
  if (one.length !== other.length) return Math.abs(one.length - other.length) === 1;
  const places = Array.from({ length: one.length }, (_none, at) => at);
  return places.filter((at) => one[at] !== other[at]).length === 1;
}

/** " Did you mean A14 or A15?"; '' where nothing is near. */
export function didYouMean(names: readonly string[]): string {
  const [last, ...before] = names.toReversed();
  if (last === undefined) return '';
  return ` Did you mean ${before.length > 0 ? `${before.toReversed().join(', ')} or ` : ''}${last}?`;
}
