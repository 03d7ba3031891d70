import { Readable } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import { fillSecrets, openlyGiven } from './secret-arguments.ts';

const fill = (args: string[], typed: string, secrets?: number[]) =>
  fillSecrets(secrets ? { secrets } : {}, args, Readable.from([typed]));

it.each([
  ['a line of the input', ['a@example.com', '-', 'Ana'], 'with blanks in it\nmore\n', 'with blanks in it'],
  ['a line of Windows', ['a@example.com', '-', 'Ana'], 'secret\r\n', 'secret'],
  ['input without an end of line', ['a@example.com', '-', 'Ana'], 'secret', 'secret'],
  ['no input', ['a@example.com', '-', 'Ana'], '', ''],
  ['the command line', ['a@example.com', 'secret', 'Ana'], 'another\n', 'secret'],
])('a password is that of %s', async (_what, args, typed, password) => {
  expect(await fill(args, typed, [1])).toEqual(['a@example.com', password, 'Ana']);
});

it.each([
  [['a@example.com', 'secret'], [1], true],
  [['a@example.com', '-'], [1], false],
  [['a@example.com'], [1], false],
  [['a@example.com', 'word'], undefined, false],
])('whoever gives %j with secrets at %j is warned: %s', (args, secrets, isWarned) => {
  const warning = openlyGiven(secrets ? { secrets } : {}, args);
  expect([warning !== null, warning?.includes('secret') ?? false]).toEqual([isWarned, false]);
});

it('a dash that stands for no secret is itself', async () => {
  expect(await fill(['-', '-'], 'typed\n')).toEqual(['-', '-']);
});

it.each([
  ['the same', 'secret word\nsecret word\n', 'secret word'],
  ['something else', 'secret word\nsecret wrod\n', null],
  ['nothing more', 'secret word\n', null],
])('a terminal is asked twice: the second time %s is typed', async (_what, typed, password) => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => written.mockRestore());
  const terminal = Object.assign(Readable.from([typed]), { isTTY: true });
  const filled = fillSecrets({ secrets: [0] }, ['-'], terminal);
  if (password === null)
    await expect(filled).rejects.toThrow('The two passwords differ. Nothing was changed.');
  else expect(await filled).toEqual([password]);
});
