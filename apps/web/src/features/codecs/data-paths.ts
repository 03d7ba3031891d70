/** Deeper and longer than any sensor's message. */
const MAX_DEPTH = 8;
const MAX_PATHS = 200;

/** The paths to all plain values of a decoded message, as a mapping writes them: `water.depth`, `ports[1].total`. */
export function pathsOf(data: unknown): string[] {
  const paths: string[] = [];
  const walk = (value: unknown, path: string, depth: number) => {
    if (paths.length >= MAX_PATHS || depth > MAX_DEPTH) return;
    if (Array.isArray(value)) value.forEach((member, n) => walk(member, `${path}[${n}]`, depth + 1));
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) walk(member, joined(path, name), depth + 1);
    else if (path !== '') paths.push(path);
  };
  walk(data, '', 0);
  return paths;
}

function joined(path: string, name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}
