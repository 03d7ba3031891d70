import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const web = resolve(import.meta.dirname, '../../web/src');
const files = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path));

/** Classes that a file of the web app takes from a style sheet which has none of that name: the compiler takes any. */
function missing(file: string): string[] {
  const text = readFileSync(join(web, file), 'utf8');
  const imports = text.matchAll(/^import (\w+) from '([^']+\.module\.css)';$/gm);
  const code = text.replaceAll(/ from '.*'/g, '');
  return [...imports].flatMap(([, name = '', path = '']) => {
    const sheet = readFileSync(join(web, dirname(file), path), 'utf8');
    const uses = code.matchAll(new RegExp(`(?<![\\w.])${name}\\.(\\w+)`, 'g'));
    return [...uses]
      .filter(([, used = '']) => !new RegExp(`\\.${used}\\b`).test(sheet))
      .map(([, used]) => `${file}: ${used} is not in ${path}`);
  });
}

it('each class that a screen uses is in its style sheet', () => {
  expect(files.flatMap(missing)).toEqual([]);
});
