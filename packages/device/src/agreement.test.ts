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
    expect(commandLifetimeMs(10, 2)).toBe(10 * minute);
    expect(commandLifetimeMs(10, 300)).toBe(900 * minute);
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
