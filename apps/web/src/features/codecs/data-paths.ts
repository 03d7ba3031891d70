/** Deeper and longer than any sensor's message. */
const MAX_DEPTH = 8;
const MAX_PATHS = 200;

/** Members that items of a list are told apart by, the most telling first. */
const KEYS = ['name', 'id', 'measurementId', 'key', 'label', 'channel', 'type'];

/**
 * The paths to all plain values of a decoded message, as a mapping writes them: `water.depth`, `ports[1].total`. Items of a list that have
 * names are found by them, `channels[?@.name=="soil1"].value`: in the next message they may stand elsewhere.
 */
export function pathsOf(data: unknown): string[] {
  const paths: string[] = [];
  const walk = (value: unknown, path: string, depth: number) => {
    if (paths.length >= MAX_PATHS || depth > MAX_DEPTH) return;
    if (Array.isArray(value))
      value.forEach((member, n) => walk(member, `${path}[${keyed(value, n) ?? n}]`, depth + 1));
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) walk(member, joined(path, name), depth + 1);
    else if (path !== '') paths.push(path);
  };
  walk(data, '', 0);
  return paths;
}

/** How the item at this place is told from all others of the list; null when only by its place. */
function keyed(list: readonly unknown[], place: number): string | null {
  for (const key of KEYS) {
    const said = list.map((item) =>
      typeof item === 'object' && item !== null ? Reflect.get(item, key) : null,
    );
    const own: unknown = said[place];
    const isPlain = typeof own === 'number' || (typeof own === 'string' && /^[^"]{1,60}$/.test(own));
    if (isPlain && new Set(said.map(String)).size === said.length) return `?@.${key}==${JSON.stringify(own)}`;
  }
  return null;
}

function joined(path: string, name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}
