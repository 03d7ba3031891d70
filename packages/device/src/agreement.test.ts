import { describe, expect, it } from 'vitest';
import { commandLifetimeMs } from './command-life.ts';
import { commandInfo, commandTable, commandTypes } from './commands.ts';
import { checker } from './check.ts';
import * as downlinks from './downlinks.ts';
import { jsonSchemas } from './json-schemas.ts';
import { gatewaySupports } from './messages.ts';

/** Indented JSON as the formatter writes it: a list stays on its line when it fits. */
function write(value: unknown, indent = '', room = 110): string {
  const json = JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return json;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const line = isList ? json.replaceAll(',', ', ') : json;
  if (isList && !json.includes('{') && indent.length + line.length < room) return line;
  const parts = Object.entries(value).map(([name, member]) => {
    const label = isList ? '' : `${JSON.stringify(name)}: `;
    return `${inner}${label}${write(member, inner, 110 - label.length)}`;
  });
  return parts.length === 0
    ? json
    : `${isList ? '[' : '{'}\n${parts.join(',\n')}\n${indent}${isList ? ']' : '}'}`;
}

/** In the names of these tests, so that whoever sees one fail knows what to do. */
const renew = 'renew: npx vitest run --project unit agreement device-protocol -u';

describe('the JSON Schemas for outsiders', () => {
  it.each(Object.entries(jsonSchemas()))(`%s is in step with its file (${renew})`, async (name, schema) => {
    await expect(`${write(schema)}\n`).toMatchFileSnapshot(`../schemas/${name}.json`);
  });
});

describe('the command table', () => {
  it('keeps the numbers of the specification: gateways and the log know commands by them', () => {
    const specified = `
      Poll ValveOn ValveOff Inhibit Uninhibit UpdateSchedule Replace InhibitGroup UninhibitGroup SendScheduleSet
      UpdateInc UpdateSettings UpdateINCList IncCommStart IncTimeSet IncStatusReq IncScheduleAll IncSaveIpcList
      IncSaveItuList ChangeGroupComms IncClearStatus PollGroup Ping ToggleIO IpcReconfigure IncReconfigure IpcUpdate
      ReconfigureGroup RefreshAll TurnGroupValvesOn TurnGroupValvesOff`
      .trim()
      .split(/\s+/)
      .map((name, index) => [name, index + 1]);
    const released = Object.entries(commandTypes).filter(([, type]) => type <= specified.length);
    expect(released).toEqual(specified);
    // One that is added gets the next number.
    expect(commandTable.map(({ type }) => type)).toEqual(commandTable.map((_, index) => index + 1));
    expect(commandInfo(24)).toMatchObject({ name: 'ToggleIO', topic: 'cmd', target: 'gateway' });
    expect(commandInfo(0)).toBeUndefined();
  });

  it('gives single commands 10 minutes and lists of units 3 minutes each, at least 10', () => {
    const minute = 60_000;
    expect(commandLifetimeMs(2)).toBe(10 * minute);
    expect(commandLifetimeMs(10, { unitsToDo: 2 })).toBe(10 * minute);
    expect(commandLifetimeMs(10, { unitsToDo: 300 })).toBe(900 * minute);
  });

  it('gives up on a send after two days', () => {
    expect(commandLifetimeMs(10, { unitsToDo: 5000 })).toBe(48 * 60 * 60_000);
  });
});

describe('the life of a command whose gateway has a commsMaxTTL', () => {
  const minute = 60;
  const [poll, valveOn, valveOff, inhibit, pollGroup, toggleOff, groupOn, groupOff, uninhibitGroup] = [
    1, 2, 3, 4, 22, 24, 30, 31, 9,
  ];
  it.each([
    [poll, [300], 1, 5 * minute],
    [poll, [1800], 1, 30 * minute],
    // A minute at least, an hour at most; the shortest of several; ten minutes where none is said.
    [poll, [5], 1, minute],
    [poll, [86_400], 1, 60 * minute],
    [poll, [900, 300], 1, 5 * minute],
    [poll, [900, null], 1, 10 * minute],
    [poll, [null], 1, 10 * minute],
    [poll, [0], 1, 10 * minute],
    // What starts water never waits for longer than ten minutes, for however many units.
    [valveOn, [300], 1, 5 * minute],
    [valveOn, [1800], 1, 10 * minute],
    [groupOn, [1800], 2, 10 * minute],
    [groupOn, [300], 20, 5 * minute],
    [groupOn, [null], 930, 10 * minute],
    [uninhibitGroup, [null], 930, 10 * minute],
    // What stops it lives an hour whatever the gateway says, and an Inhibit until it is taken back.
    [valveOff, [60], 1, 60 * minute],
    [toggleOff, [60], 1, 60 * minute],
    [groupOff, [60], 930, 60 * minute],
    [inhibit, [60], 1, 365 * 24 * 60 * minute],
    // Several units are done in turn.
    [pollGroup, [300], 1, 5 * minute],
    [pollGroup, [300], 20, 60 * minute],
  ])('type %i, %j s, %i units: %i s', (type = 0, maxTtls, unitsToDo, seconds) => {
    expect(commandLifetimeMs(type, { maxTtls, unitsToDo })).toBe(seconds * 1000);
  });

  it('is as long as a person chose for what starts water, up to an hour', () => {
    const chosen = (beginWithinMin: number) =>
      commandLifetimeMs(groupOn ?? 0, { maxTtls: [300], unitsToDo: 75, beginWithinMin }) / 1000;
    expect([chosen(30), chosen(60), chosen(600)]).toEqual([30 * minute, 60 * minute, 60 * minute]);
  });
});

describe('downlinks', () => {
  it('are checked as strictly as uplinks', () => {
    const check = checker(downlinks.CommandDown);
    const command = {
      cmdId: 'c',
      type: 2,
      mac: 'D0F5AB00000000A1',
      payload: {},
      expiresAt: '2026-01-14T18:00:00Z',
    };
    expect(check({ ...command, maxOpenMinutes: 60 }).ok).toBe(true);
    expect(check({ ...command, type: 32 })).toMatchObject({ reason: 'type must be <= 31' });
  });

  it.each(gatewaySupports)('have the member %s that a gateway may say it keeps', (word) => {
    expect(downlinks.SchedulesDown.properties).toHaveProperty(word);
  });

  const command = { cmdId: 'c', type: 2, payload: {}, expiresAt: '2026-01-14T18:00:00Z' };
  const set = { setId: 's', rev: 1, part: 1, parts: 1, units: [] };
  it.each([
    [downlinks.CommandDown, { ...command, priority: 0, seq: 1, within: 600 }, null],
    [downlinks.CommandDown, { ...command, priority: 4 }, 'priority must be <= 3'],
    [downlinks.CommandDown, { ...command, priority: 1.5 }, 'priority must be integer'],
    [downlinks.CommandDown, { ...command, seq: 0 }, 'seq must be >= 1'],
    [downlinks.CommandDown, { ...command, within: -1 }, 'within must be >= 0'],
    [downlinks.SchedulesDown, { ...set, priority: 3, seq: 2, within: 600, cycleLen: 2 }, null],
    [downlinks.SchedulesDown, { ...set, cycleLen: 0 }, 'cycleLen must be >= 1'],
    [downlinks.SchedulesDown, { ...set, seq: '1' }, 'seq must be integer'],
  ])('may say their order and time: %#', (schema, message, reason) => {
    expect(checker(schema)(message)).toMatchObject(reason === null ? { ok: true } : { ok: false, reason });
  });
});
