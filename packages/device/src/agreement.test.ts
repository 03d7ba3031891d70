import { describe, expect, it } from 'vitest';
import { commandInfo, commandLifetimeMs, commandTable } from './commands.ts';
import { checker } from './check.ts';
import * as downlinks from './downlinks.ts';
import { jsonSchemas } from './json-schemas.ts';

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

describe('the JSON Schemas for outsiders', () => {
  // `vitest -u` writes them anew after a deliberate change.
  it.each(Object.entries(jsonSchemas()))('%s is in step with its file', async (name, schema) => {
    await expect(`${write(schema)}\n`).toMatchFileSnapshot(`../schemas/${name}.json`);
  });
});

describe('the command table', () => {
  it('has a row for each of the 31 types', () => {
    expect(commandTable.map((info) => info.type)).toEqual(
      Array.from({ length: 31 }, (_, index) => index + 1),
    );
    expect(commandInfo(24)).toMatchObject({ name: 'ToggleIO', topic: 'cmd', target: 'gateway' });
    expect(commandInfo(0)).toBeUndefined();
  });

  it('gives single commands 10 minutes and lists of units 3 minutes each, at least 10', () => {
    const minute = 60_000;
    expect(commandLifetimeMs(2)).toBe(10 * minute);
    expect(commandLifetimeMs(10, { unitsToDo: 2 })).toBe(10 * minute);
    expect(commandLifetimeMs(10, { unitsToDo: 300 })).toBe(900 * minute);
  });
});

describe('the life of a command whose gateway has a commsMaxTTL', () => {
  const minute = 60;
  const [poll, valveOn, valveOff, pollGroup, toggleIo, groupOn] = [1, 2, 3, 22, 24, 30];
  it.each([
    [poll, [300], 1, 5 * minute],
    [poll, [1800], 1, 30 * minute],
    [valveOff, [1800], 1, 30 * minute],
    // A minute at least, an hour at most; the shortest of several; ten minutes where none is said.
    [poll, [5], 1, minute],
    [poll, [86_400], 1, 60 * minute],
    [poll, [900, 300], 1, 5 * minute],
    [poll, [900, null], 1, 10 * minute],
    [poll, [null], 1, 10 * minute],
    [poll, [0], 1, 10 * minute],
    // What starts water never waits for longer than ten minutes.
    [valveOn, [300], 1, 5 * minute],
    [valveOn, [1800], 1, 10 * minute],
    [toggleIo, [1800], 1, 10 * minute],
    [groupOn, [1800], 2, 10 * minute],
    // Several units are done in turn.
    [pollGroup, [300], 1, 5 * minute],
    [pollGroup, [300], 20, 60 * minute],
    [groupOn, [300], 20, 60 * minute],
  ])('type %i, %j s, %i units: %i s', (type = 0, maxTtls, unitsToDo, seconds) => {
    expect(commandLifetimeMs(type, { maxTtls, unitsToDo })).toBe(seconds * 1000);
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
});
