/**
 * Reading one member of a decoded object by a path such as `ports[1].total` or `data["level mm"]`. An item of a list is also found by what it
 * says of itself, as JSONPath (RFC 9535) writes it: `channels[?@.name=="soil1"].value`.
 */

export type PathResult = { ok: true; value: unknown } | { ok: false; reason: string };

/** The name of a member or place of an item; or the first item whose member `key` is `text`. */
type Step = string | { readonly key: string; readonly text: string };

const member = /([^.[\]"'\s][^.[\]"']*)|\[(\d{1,6})\]|\["([^"]*)"\]|\['([^']*)'\]/y;
/** The parentheses are of JSONPath before its standard. */
const filter =
  /\[\?\s*(\()?\s*@\.([A-Za-z_][\w-]*)\s*==\s*(?:"([^"]*)"|'([^']*)'|(-?\d+(?:\.\d+)?|true|false))\s*(\))?\s*\]/y;
const maxSteps = 16;
const missing: PathResult = { ok: true, value: undefined };

/** The steps of a path, or `null` when it isn't one. */
export function parsePath(path: string): Step[] | null {
  const steps: Step[] = [];
  let at = 0;
  while (at < path.length) {
    const dotted = path[at] === '.';
    if (dotted && at > 0) at += 1;
    const found = dotted ? memberAt(path, at) : (filterAt(path, at) ?? memberAt(path, at));
    // A name follows a dot, except the first; a bracket follows anything but a dot.
    if (!found || (found.isName ? !dotted && steps.length > 0 : dotted)) return null;
    steps.push(found.step);
    at = found.end;
  }
  return steps.length > 0 && steps.length <= maxSteps ? steps : null;
}

function memberAt(path: string, at: number) {
  member.lastIndex = at;
  const match = member.exec(path);
  if (!match) return null;
  const step = match[1] ?? match[2] ?? match[3] ?? match[4] ?? '';
  return { step, isName: match[1] !== undefined, end: member.lastIndex };
}

function filterAt(path: string, at: number) {
  filter.lastIndex = at;
  const match = filter.exec(path);
  if (!match || (match[1] === undefined) !== (match[6] === undefined)) return null;
  const step = { key: match[2] ?? '', text: match[3] ?? match[4] ?? match[5] ?? '' };
  return { step, isName: false, end: filter.lastIndex };
}

/** Own data members only: nothing inherited, no getter is run, no `length`. `undefined` when the member isn't there. Never throws. */
export function readPath(object: unknown, path: string): PathResult {
  const steps = parsePath(path);
  if (!steps)
    return {
      ok: false,
      reason: 'not a path: write names with dots and [0], ["name"] or [?@.name=="text"] between',
    };
  try {
    let value = object;
    for (const step of steps) {
      if (value === null) return { ok: true, value: null };
      value = typeof step === 'string' ? memberOf(value, step) : itemOf(value, step);
      if (value === undefined) return missing;
    }
    return { ok: true, value };
  } catch {
    return { ok: false, reason: 'could not be read' };
  }
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) && !/^\d+$/.test(name)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value as unknown;
}

/** Numbers and texts alike: some devices write `id` as 7, some as "7". */
function itemOf(list: unknown, { key, text }: { key: string; text: string }): unknown {
  if (!Array.isArray(list)) return undefined;
  return list.find((item) => {
    const said = memberOf(item, key);
    return (
      (typeof said === 'string' || typeof said === 'number' || typeof said === 'boolean') &&
      String(said) === text
    );
  }) as unknown;
}
