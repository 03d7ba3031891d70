import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import type { Command } from './command.ts';
import { UsageError } from './usage-error.ts';

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
  for (const place of secrets) if (filled[place] === '-') filled[place] = await readSecret(input);
  return filled;
}

/** What to say to whoever gave a secret on the command line all the same; null: nobody did. */
export function openlyGiven(
  { secrets = [] }: Pick<Command, 'secrets'>,
  args: readonly string[],
): string | null {
  if (secrets.every((place) => args[place] === undefined || args[place] === '-')) return null;
  return 'A password on the command line can be read by everybody on this machine while the command runs, and the shell keeps it. Give - instead: then you are asked for it, or it is read from the input.';
}

/** A terminal is asked twice, since nobody sees what was typed wrong: nothing is done where the two differ. */
async function readSecret(input: Readable & { isTTY?: boolean }): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const isTerminal = input.isTTY ?? false;
  const lines = createInterface({ input, output: nowhere, terminal: isTerminal });
  const next = lines[Symbol.asyncIterator]();
  const ask = async (words: string) => {
    if (isTerminal) process.stderr.write(words);
    const { value, done } = await next.next();
    if (isTerminal) process.stderr.write('\n');
    return done === true ? '' : value;
  };
  try {
    const secret = await ask('Password (it isn’t shown): ');
    if (isTerminal && (await ask('The same again: ')) !== secret)
      throw new UsageError('The two passwords differ. Nothing was changed.');
    return secret;
  } finally {
    lines.close();
  }
}
