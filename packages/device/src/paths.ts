/** Reading one member of a decoded object by a path such as `ports[1].total` or `data["level mm"]`. */

export type PathResult = { ok: true; value: unknown } | { ok: false; reason: string };

const step = /([^.[\]"'\s][^.[\]"']*)|\[(\d{1,6})\]|\["([^"]*)"\]|\['([^']*)'\]/y;
const maxSteps = 16;
const missing: PathResult = { ok: true, value: undefined };

/** The steps of a path, or `null` when it isn't one. */
export function parsePath(path: string): string[] | null {
  const steps: string[] = [];
  let at = 0;
  while (at < path.length) {
    const dotted = path[at] === '.';
    if (dotted && at > 0) at += 1;
    step.lastIndex = at;
    const match = step.exec(path);
    // A name follows a dot, except the first; a bracket follows anything but a dot.
    if (!match || (match[1] === undefined ? dotted : !dotted && steps.length > 0)) return null;
    steps.push(match[1] ?? match[2] ?? match[3] ?? match[4] ?? '');
    at = step.lastIndex;
  }
  return steps.length > 0 && steps.length <= maxSteps ? steps : null;
}

/** Own data members only: nothing inherited, no getter is run, no `length`. `undefined` when the member isn't there. Never throws. */
export function readPath(object: unknown, path: string): PathResult {
  const steps = parsePath(path);
  if (!steps) return { ok: false, reason: 'not a path: write names with dots and [0] or ["name"] between' };
  try {
    let value = object;
    for (const name of steps) {
      if (value === null) return { ok: true, value: null };
      if (typeof value !== 'object') return missing;
      if (Array.isArray(value) && !/^\d+$/.test(name)) return missing;
      value = Object.getOwnPropertyDescriptor(value, name)?.value as unknown;
      if (value === undefined) return missing;
    }
    return { ok: true, value };
  } catch {
    return { ok: false, reason: 'could not be read' };
  }
}
