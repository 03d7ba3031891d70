import { describe, expect, test } from 'vitest';
import { afterOther, behindText } from './behind.ts';
import { buildBehind, buildCommand } from './command-fixtures.ts';
import { commandLabel, commandNote } from './command-labels.ts';
import { withNews } from './under-way.queries.ts';
import { withOthers } from './with-command.ts';

const first = buildCommand(1, {
  command: 'PollGroup',
  name: 'North',
  state: 'progress',
  total: 300,
  done: 12,
});
const waiting = buildCommand(2, {
  command: 'ChangeGroupComms',
  state: 'queued',
  total: 300,
  done: 0,
  message: 'Change Comms Mode: waiting for another command.',
  behind: buildBehind(first),
});

describe('a command that waits for another one', () => {
  test.each([
    ['waits for Poll Group, North, sent by Aroha Ngata (12 of 300 done)', {}],
    ['waits for Poll Group, North (12 of 300 done, 3 failed)', { sentBy: '', failed: 3 }],
    [
      'waits for Poll Group, Whole farm, sent by itself (not done yet)',
      { name: '-', isAutomatic: true, total: 1 },
    ],
    ['1 of its units waits for Poll Group, North, sent by Aroha Ngata (12 of 300 done)', { units: 1 }],
    ['250 of its units wait for Poll Group, North, sent by Aroha Ngata (12 of 300 done)', { units: 250 }],
  ])('"%s"', (text, over) => {
    expect(behindText(buildBehind(first, over))).toBe(text);
  });

  test('says how many others it waits for, and nothing where it waits for none', () => {
    expect(behindText({ ...buildBehind(first), more: 1 })).toMatch(/ and 1 other command$/);
    expect(behindText({ ...buildBehind(first), more: 2 })).toMatch(/ and 2 other commands$/);
    expect(behindText(null)).toBe('');
  });

  test('is not called waiting for its gateway, but where only some of its units wait', () => {
    expect(commandLabel(waiting)).toBe('Waiting for another command');
    expect(commandNote(waiting)).toBe('');
    const some = { ...waiting, behind: buildBehind(first, { units: 3 }) };
    expect(commandLabel(some)).toBe('Waiting for the gateway');
    expect(commandNote(some)).toBe('');
  });

  test('goes on with the news of that one, wherever it is listed, and waits no more once that ends', () => {
    const further = { ...first, done: 40 };
    const listed = withNews([waiting], further).find(({ _id }) => _id === waiting._id);
    expect(listed?.behind?.commands).toMatchObject([{ done: 40 }]);
    const [page] = withOthers([{ commands: [waiting], more: false }], further);
    expect(page?.commands[0]?.behind?.commands).toMatchObject([{ done: 40 }]);
    // An older word comes late.
    expect(afterOther(listed ?? waiting, first).behind?.commands).toMatchObject([{ done: 40 }]);
    const ended = { ...first, state: 'done', done: 300 } as const;
    expect(afterOther(waiting, ended).behind).toBeNull();
    expect(withNews([waiting], ended)).toMatchObject([{ _id: waiting._id, behind: null }]);
    expect(afterOther(waiting, buildCommand(9, { state: 'done' }))).toBe(waiting);
  });
});
