import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { processesOf } from '../../testing/processes-of.ts';

/** What `npm run build` makes. */
const printer = new URL('../../../dist/features/reports/printer.js', import.meta.url);

/** Prints a report that is asked for in the same way as by a server, and says so once its process is there. */
const server = `
  import { createPrinter } from '${printer.href}';
  const farm = { farm: 'Farm', madeAt: 0, foot: '', title: 'Long', period: '' };
  const rows = Array.from({ length: 60000 }, (_none, n) => [\`A\${n}\`, \`of \${n}\`]);
  const columns = [{ title: 'NAME', isRowHead: true }, { title: 'NOTE' }];
  const made = createPrinter().print({ ...farm, parts: [{ kind: 'table', summary: 'Long', columns, rows }] });
  process.send('asked');
  await made;
  process.send('made');
`;

it('what a server that is killed was printing ends with it', async () => {
  if (!existsSync(printer)) throw new Error('The server is not built: run `npm run build` first.');
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', server], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const said: unknown[] = [];
  parent.on('message', (word) => said.push(word));
  await once(parent, 'message');
  const { pid = 0 } = parent;
  await expect.poll(() => processesOf(pid, 'paper-program').length).toBe(1);
  const [child = 0] = processesOf(pid, 'paper-program');
  const gone = once(parent, 'exit');
  parent.kill('SIGKILL');
  await gone;
  await expect.poll(() => isThere(child), { timeout: 60_000 }).toBe(false);
  expect(said).toEqual(['asked']);
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
