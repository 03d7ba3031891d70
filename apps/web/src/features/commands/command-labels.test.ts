import { describe, expect, test } from 'vitest';
import type { Timezone } from '@headrace/contract/farms';
import { at, buildCommand, buildStep, buildUnit } from './command-fixtures.ts';
import { lifeOf } from './command-life.ts';
import { cancelEffect } from './cancel-effect.ts';
import { dayName, secondText } from './command-times.ts';
import { commandNote, commandLabel, unitNote } from './command-labels.ts';

const zone: Timezone = {
  timeZoneId: 'Pacific/Auckland',
  rawOffset: 43_200,
  dstOffset: 3600,
  dstEnabled: true,
};

describe('how a command stands', () => {
  test.each([
    ['queued', 'Waiting for the gateway', 'Set Time: waiting for the gateway.'],
    ['sent', 'Sent, not answered yet', 'Set Time: sent, not answered yet.'],
    ['accepted', 'Gateway has it', 'Set Time: the gateway has it.'],
    ['done', 'Done', 'Set Time: done.'],
  ] as const)('%s is said once', (state, label, message) => {
    const command = buildCommand(1, { state, message });
    expect(commandLabel(command)).toBe(label);
    expect(commandNote(command)).toBe('');
  });
  test('under way it counts', () => {
    const command = buildCommand(1, { state: 'progress', done: 12, failed: 0, total: 40 });
    expect(commandLabel(command)).toBe('12 of 40 done');
    expect(commandLabel({ ...command, failed: 2 })).toBe('12 of 40 done, 2 failed');
    expect(commandLabel({ ...command, total: 300, done: 40, hadIt: 28 })).toBe(
      '12 of 272 done; 28 had it already',
    );
  });
  test('failed, it says why', () => {
    const message = 'Set Time: failed. The clock chip does not answer.';
    expect(commandNote(buildCommand(1, { state: 'failed', message }))).toBe(
      'The clock chip does not answer.',
    );
  });
  test.each([
    ['cancelled', 'cancelled; 12 done of 40.', '12 done of 40.'],
    ['cancelled', 'cancelled before it was sent.', 'Before it was sent.'],
    ['done', 'done, 29 of 50 had it already.', '29 of 50 had it already.'],
    ['done', 'done: the unit had it already.', 'The unit had it already.'],
    ['expired', 'Not sent: its time ran out.', 'Not sent: its time ran out.'],
  ] as const)('%s, it says no word twice: %s', (state, said, note) => {
    expect(commandNote(buildCommand(1, { state, message: `Set Time: ${said}` }))).toBe(note);
  });
  test("the sender's own words for the result are shown", () => {
    expect(commandNote(buildCommand(1, { message: 'Schedules are at the shed.' }))).toBe(
      'Schedules are at the shed.',
    );
  });
});

describe('what is known of a valve', () => {
  const valve = { openedAt: at(0), closesBy: at(3600), closedAt: null, why: '' };
  test.each([
    ['open since 10:02, closes by itself by 11:02', {}],
    [
      'closed 11:02: by its own limit of 60 min',
      { closedAt: at(3600), why: 'Closed by its own limit of 60 min.' },
    ],
    ['closed 11:02', { closedAt: at(3600), why: '' }],
    [
      'open since 10:02. It should have closed by itself, but the unit has not reported it yet.',
      { why: 'It should have closed by itself, but the unit has not reported it yet.' },
    ],
  ])('%s', (text, over) => {
    expect(unitNote(buildUnit(1, { valve: { ...valve, ...over } }), zone)).toBe(text);
  });
  test('a unit without a valve has its note', () => {
    expect(unitNote(buildUnit(1, { note: 'No radio contact.' }), zone)).toBe('No radio contact.');
  });
});

describe('the life of a command', () => {
  const stages = (...args: Parameters<typeof lifeOf>) =>
    lifeOf(...args).map(
      ({ label, at, when }) => `${when} ${label} ${at === null ? '–' : secondText(at, zone)}`,
    );
  test('under way it shows what is to come', () => {
    const command = buildCommand(0, { state: 'sent', message: '', stateAt: at(1) });
    expect(stages(command, [buildStep(0, 'queued'), buildStep(1, 'sent')])).toEqual([
      'past Asked for 10:02:00',
      'now Sent, not answered yet 10:02:01',
      'ahead Gateway has it –',
      'ahead Done –',
    ]);
  });
  test("a group's units answer one by one", () => {
    const command = buildCommand(0, { state: 'progress', done: 1, total: 3 });
    const steps = [buildStep(1, 'sent'), buildStep(2, 'accepted'), buildStep(9, 'done', { name: 'P001' })];
    expect(stages(command, steps)).toEqual([
      'past Asked for 10:02:00',
      'past Sent to the gateway 10:02:01',
      'past Gateway has it 10:02:02',
      'now 1 of 3 done –',
      'ahead Done –',
    ]);
  });
  test('at its end it shows only what happened', () => {
    const command = buildCommand(0, { state: 'expired', stateAt: at(600) });
    expect(stages(command, [buildStep(0, 'queued')])).toEqual([
      'past Asked for 10:02:00',
      'now Ran out of time 10:12:00',
    ]);
  });
});

describe('what cancelling would do', () => {
  test.each([
    [1, 1, "The gateway hasn't been given this command yet. Cancelled, it won't be sent."],
    [40, 40, "The gateway hasn't been given any of it yet. Cancelled, none of the 40 units gets it."],
    [28, 40, "28 of 40 units wait for the gateway: they won't get it. The other 12 stay as they are."],
    [39, 40, "39 of 40 units wait for the gateway: they won't get it. The other one stays as it is."],
    [1, 40, "1 of 40 units waits for the gateway: it won't get it. The other 39 stay as they are."],
  ])('%i of %i', (queued, total, text) => {
    expect(cancelEffect({ queued, waiting: 0 }, total)).toBe(text);
  });
  test('to units that wait to be heard', () => {
    expect(cancelEffect({ queued: 0, waiting: 12 }, 930)).toBe(
      '12 units wait to be heard: their schedules are not sent by themselves any more.',
    );
    expect(cancelEffect({ queued: 20, waiting: 1 }, 930)).toBe(
      "20 of 930 units wait for the gateway: they won't get it. The other 910 stay as they are. 1 unit waits to be heard: its schedule is not sent by itself any more.",
    );
  });
});

describe("the farm's day", () => {
  // Midnight of 21/11/2026 in New Zealand is 11:00 UTC of the day before.
  const today = Date.parse('2026-11-20T11:00:00.000Z');
  test.each([
    ['2026-11-20T11:00:00.000Z', 'Today'],
    ['2026-11-20T10:59:59.000Z', 'Yesterday'],
    ['2026-11-18T10:59:59.000Z', /18.11.2026|11.18.2026/],
  ])('%s is %s', (time, name) => {
    expect(dayName(Date.parse(time), today, zone)).toMatch(name);
  });
});
