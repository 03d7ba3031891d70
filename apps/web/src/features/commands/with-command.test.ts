import { describe, expect, test } from 'vitest';
import { at, buildCommand } from './command-fixtures.ts';
import { keepNewer, withCommand } from './with-command.ts';

const [one, two, three, four] = [1, 2, 3, 4].map((n) => buildCommand(n)) as [
  ReturnType<typeof buildCommand>,
  ReturnType<typeof buildCommand>,
  ReturnType<typeof buildCommand>,
  ReturnType<typeof buildCommand>,
];
const pages = [
  { commands: [four, three], more: true },
  { commands: [two], more: true },
];
const ids = (list: typeof pages) =>
  list.map(({ commands }) => commands.map(({ serialNumber }) => serialNumber));

describe('a message about a command', () => {
  test('that is shown takes its place, on whichever page it is', () => {
    const news = { ...two, state: 'failed' as const, stateAt: at(60) };
    expect(withCommand(pages, news)[1]?.commands).toEqual([news]);
    expect(ids(withCommand(pages, news))).toEqual([['GW4', 'GW3'], ['GW2']]);
  });
  test('that tells of an earlier moment changes nothing', () => {
    expect(withCommand(pages, { ...two, state: 'sent', stateAt: at(0) })).toBe(pages);
  });
  test('that is new comes first', () => {
    expect(ids(withCommand(pages, buildCommand(5)))).toEqual([['GW5', 'GW4', 'GW3'], ['GW2']]);
  });
  test('that is new comes first, whatever its identifier: those of one second are in no order', () => {
    const news = { ...buildCommand(5), _id: '000000000000000000000001' };
    expect(ids(withCommand(pages, news))).toEqual([['GW5', 'GW4', 'GW3'], ['GW2']]);
  });
  test('that another newer one overtook stands below it', () => {
    const [first, ...rest] = pages;
    const without = [{ commands: first?.commands.filter((c) => c !== three) ?? [], more: true }, ...rest];
    expect(ids(withCommand([{ commands: [four, two], more: true }], three))).toEqual([['GW4', 'GW3', 'GW2']]);
    expect(withCommand(without, three)).toBe(without);
  });
  test('that is older than what has been asked for waits for its page', () => {
    expect(withCommand(pages, one)).toBe(pages);
  });
  test('is the first where there was none', () => {
    expect(ids(withCommand([{ commands: [], more: false }], one))).toEqual([['GW1']]);
  });
});

describe('an answer that was on its way while messages came', () => {
  test('does not take back what they said', () => {
    const done = { ...four, stateAt: at(90) };
    const before = [{ commands: [buildCommand(5), done, three], more: true }];
    const fresh = [{ commands: [{ ...four, state: 'sent' as const }, three], more: true }];
    expect(keepNewer(before, fresh)).toEqual([{ commands: [buildCommand(5), done, three], more: true }]);
  });
  test('is believed where it is as new', () => {
    const before = [{ commands: [{ ...four, done: 3, total: 9 }], more: false }];
    const fresh = [{ commands: [{ ...four, done: 5, total: 9 }], more: false }];
    expect(keepNewer(before, fresh)).toEqual(fresh);
  });
});
