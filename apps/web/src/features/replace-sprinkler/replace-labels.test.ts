import { expect, test } from 'vitest';
import type { Command } from '@headrace/contract/commands';
import { buildCommand } from '../commands/command-fixtures.ts';
import { replaceOutcome } from './replace-labels.ts';

const outcome = (over: Partial<Command>) =>
  replaceOutcome(
    buildCommand(1, { command: 'Replace', done: 0, ...over }),
    { name: 'A9', serial: '40009' },
    { newSerial: 'IPC9', withSchedule: false },
  );

test.each<[Partial<Command>, string, string, boolean | null]>([
  [
    { state: 'queued', message: 'Replace: waiting for the gateway.' },
    'Processing your command...',
    'It ends by itself. Until it is done, A9 has 40009.',
    null,
  ],
  [
    { state: 'done', message: 'Replace: done.' },
    'Replaced',
    'IPC9 is at A9 now. 40009 is a spare, out of service. Send its schedule next: the new unit may hold another one, or none.',
    false,
  ],
  [
    {
      state: 'done',
      message:
        'Replace: The gateway says done, but our records stay as they were: the sprinkler has left the farm.',
    },
    'Not changed',
    'The gateway says done, but our records stay as they were: the sprinkler has left the farm.',
    true,
  ],
  [
    { state: 'failed', message: 'Replace: failed. The gateway gave no reason.' },
    'Replace failed',
    'The gateway gave no reason. Nothing was changed: A9 has 40009.',
    true,
  ],
  [
    { state: 'expired', message: 'Replace: The gateway did not answer in time' },
    'Ran out of time',
    'The gateway did not answer in time. Our records have 40009 at A9 as before. Look at which unit answers before you try again.',
    true,
  ],
  [
    { state: 'cancelled', message: 'Replace: cancelled before it was sent.' },
    'Cancelled',
    'Nothing was changed: A9 has 40009.',
    true,
  ],
])('a Replace that is %o', (over, title, text, isFailed) => {
  expect(outcome(over)).toMatchObject({ title, text, isFailed });
});

test('whose schedule goes by itself asks nobody to send it', () => {
  const command = buildCommand(1, { command: 'Replace', state: 'done', message: 'Replace: done.' });
  const place = { name: 'A9', serial: '40009' };
  expect(replaceOutcome(command, place, { newSerial: 'IPC9', withSchedule: true }).text).toBe(
    "IPC9 is at A9 now. 40009 is a spare, out of service. The place's schedule goes to it by itself, once the gateway has the new list of sprinklers: in about a minute.",
  );
});
