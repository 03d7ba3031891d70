import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import type { Command } from './command.ts';

/**
 * Arguments with `-` in the place of a secret filled in from a line of the input: on the command line every user of the machine
 * could read it, and shells remember it. A terminal is asked, and shows nothing of what is typed.
 */
export async function fillSecrets(
  { secrets = [] }: Pick<Command, 'secrets'>,
  args: readonly string[],
  input: Readable & { isTTY?: boolean } = process.stdin,
): Promise<string[]> {
  const filled = [...args];
  for (const place of secrets) if (filled[place] === '-') filled[place] = await readSecretLine(input);
  return filled;
}

async function readSecretLine(input: Readable & { isTTY?: boolean }): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: input.isTTY ?? false });
  if (input.isTTY) process.stderr.write('Password (it isn’t shown): ');
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
    if (input.isTTY) process.stderr.write('\n');
  }
}
