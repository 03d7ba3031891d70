import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import chirpstack from '../fixtures/chirpstack-up.json' with { type: 'json' };
import { checker } from './check.ts';
import { applyMapping, FieldMapping, type FieldMappingEntry, mappingFault, wrapOf } from './field-mapping.ts';
import { sensorValues } from './sensor-schema.ts';
import { sensorMetrics } from './metrics.ts';

const checkValues = checker(sensorValues);
const checkMapping = checker(FieldMapping);
const only = (object: unknown, entry: FieldMappingEntry) => applyMapping(object, [entry]);

const channels = {
  channels: [
    { name: 'soil1', value: 27 },
    { name: 'soil2', value: 31 },
  ],
};
const groups = {
  messages: [
    [
      { id: '4102', value: 12.9 },
      { id: 4103, value: 18.5 },
    ],
  ],
};
const twice = { l: [null, 4, { k: 'a', v: 1 }, { k: 'a', v: 2 }] };

describe('applyMapping', () => {
  it('connects a decoded payload with our metrics', () => {
    const { values, problems } = applyMapping(chirpstack.object, [
      { path: 'water_depth.value', metric: 'levelMm', unit: 'cm' },
      { path: 'Bat', metric: 'batteryV' },
      { path: 'valve', metric: 'switch', text: { open: true, closed: false } },
      { path: 'count', metric: 'pulses', kind: 'counter' },
    ]);
    expect(problems).toEqual([]);
    expect(values).toEqual({ levelMm: 1482, batteryV: 3.812, switch: true, pulsesTotal: 300 });
  });

  // Worked out by hand: raw × scale + offset in the unit given, then turned into ours.
  it.each<[unknown, FieldMappingEntry, unknown]>([
    [{ d: 930 }, { path: 'd', metric: 'levelMm', scale: -1, offset: 2400 }, 1470],
    [{ b: 3612 }, { path: 'b', metric: 'batteryV', unit: 'mV' }, 3.612],
    [{ f: 2 }, { path: 'f', metric: 'flowLpm', unit: 'L/s' }, 120],
    [{ t: 68 }, { path: 't', metric: 'temperatureC', unit: '°F' }, 20],
    [{ r: 1.4 }, { path: 'r', metric: 'rainTips', unit: 'mm' }, 7],
    [{ q: 97 }, { path: 'q', metric: 'commsQuality', unit: '%' }, 0.97],
    [{ s: '12.5' }, { path: 's', metric: 'swp1Kpa' }, 12.5],
    [{ l: null }, { path: 'l', metric: 'levelMm' }, null],
    [{ l: Number.NaN }, { path: 'l', metric: 'levelMm' }, null],
    [{ l: 'err' }, { path: 'l', metric: 'levelMm', text: { err: null } }, null],
    [{ c: 1 }, { path: 'c', metric: 'charging' }, true],
    [{ d: 'out' }, { path: 'd', metric: 'flowDirection', text: { in: 0, out: 1 } }, 1],
    [{ p: [{ n: 1 }, { n: 5 }] }, { path: 'p[1].n', metric: 'pulses' }, 5],
    [{ 'level mm': { 'a.b': 7 } }, { path: '["level mm"]["a.b"]', metric: 'levelMm' }, 7],
    [{ n: 0.1 }, { path: 'n', metric: 'swp2Kpa', scale: 3 }, 0.3],
    [{ a: null }, { path: 'a.b.c', metric: 'levelMm' }, null],
    [{ w: 0.27 }, { path: 'w', metric: 'vwc1Percent', unit: 'm3/m3' }, 27],
    [{ e: 0.24 }, { path: 'e', metric: 'ec1UsCm', unit: 'dS/m' }, 240],
    [{ v: 1.25 }, { path: 'v', metric: 'volumeTotalL', unit: 'm3' }, 1250],
    [{ p: 100 }, { path: 'p', metric: 'pressureKpa', unit: 'psi' }, 689.475729317],
    [{ k: 36 }, { path: 'k', metric: 'windSpeedMs', unit: 'km/h' }, 10],
    [{ r: 0.4 }, { path: 'r', metric: 'rainMm' }, 0.4],
    [{ r: 12.5 }, { path: 'r', metric: 'rainMm', kind: 'counter' }, 12.5],
    [{ x: 'wet' }, { path: 'x', metric: 'custom.leaf', text: { wet: 1 } }, 1],
    [{ x: true }, { path: 'x', metric: 'custom.leaf' }, 1],
    [{ x: 3 }, { path: 'x', metric: 'custom.starts', unit: 'times', scale: 2 }, 6],
    // Items of lists by what they say of themselves.
    [channels, { path: 'channels[?@.name=="soil2"].value', metric: 'vwc1Percent' }, 31],
    [channels, { path: "channels[?(@.name == 'soil1')].value", metric: 'vwc1Percent' }, 27],
    [groups, { path: "messages[0][?@.id=='4102'].value", metric: 'soilTemperature1C' }, 12.9],
    [groups, { path: 'messages[0][?@.id==4103].value', metric: 'vwc1Percent' }, 18.5],
    [{ l: [{ on: true, v: 2 }] }, { path: 'l[?@.on==true].v', metric: 'swp1Kpa' }, 2],
    [twice, { path: 'l[?@.k=="a"].v', metric: 'swp1Kpa' }, 1],
  ])('reads %j by %j as %j', (object, entry, expected) => {
    const { values, problems } = only(object, entry);
    expect(problems).toEqual([]);
    expect(Object.values(values)).toEqual([expected]);
  });

  it.each<[unknown, FieldMappingEntry, string]>([
    [{ l: 'full' }, { path: 'l', metric: 'levelMm' }, 'l: "full" is not a number'],
    [{ l: [1] }, { path: 'l', metric: 'levelMm' }, 'l: a list is not a number'],
    [{ l: 1 }, { path: 'l', metric: 'levelMm', unit: 'gallon' }, `l: unit "gallon" can't become mm`],
    [{ c: 2 }, { path: 'c', metric: 'charging' }, 'c: 2 is neither true nor false'],
    [{ p: -1 }, { path: 'p', metric: 'pulses' }, "p: -1 can't be a count"],
    [{ p: 1.5 }, { path: 'p', metric: 'pulses' }, 'p: 1.5 is not a whole count'],
    [{ d: 2 }, { path: 'd', metric: 'flowDirection' }, 'd: 2 is not one of 0, 1'],
    [{ a: 1 }, { path: 'a..b', metric: 'levelMm' }, 'a..b: not a path'],
    [{ a: 1 }, { path: 'a[', metric: 'levelMm' }, 'a[: not a path'],
    [{ a: 1 }, { path: 'a[?@.b=="c]', metric: 'levelMm' }, 'not a path'],
    [{ a: 1 }, { path: 'a[?(@.b=="c"]', metric: 'levelMm' }, 'not a path'],
    [{ a: 1 }, { path: 'a.[?@.b=="c"]', metric: 'levelMm' }, 'not a path'],
    [{ a: 1 }, { path: 'a[?@.b>1]', metric: 'levelMm' }, 'not a path'],
    [{ r: -0.2 }, { path: 'r', metric: 'rainMm' }, "r: -0.2 can't be an amount"],
    [{ x: 'wet' }, { path: 'x', metric: 'custom.leaf' }, 'x: "wet" is not a number'],
  ])('says why %j by %j is no reading', (object, entry, problem) => {
    const { values, problems } = only(object, entry);
    expect(values).toEqual({});
    expect(problems).toEqual([expect.stringContaining(problem)]);
  });

  it.each([
    '__proto__.x',
    'constructor.name',
    'toString',
    'a.length',
    'b[0]',
    'missing.deeper',
    'a[?@.x=="y"]',
    'b[?@.length==4]',
    'a[?@.constructor=="x"].y',
  ])('sees nothing at %s', (path) => {
    expect(only({ a: [1, 2], b: 'text' }, { path, metric: 'levelMm' })).toEqual({
      values: {},
      problems: [],
    });
  });

  it('runs no getter', () => {
    const trap = Object.defineProperty({}, 'l', {
      get: () => {
        throw new Error('ran');
      },
    });
    expect(only(trap, { path: 'l', metric: 'levelMm' })).toEqual({ values: {}, problems: [] });
  });

  it('takes members named as our metrics when a sensor has no mapping', () => {
    expect(applyMapping({ levelMm: 5, charging: false, swp4Kpa: null, other: 1 })).toEqual({
      values: { levelMm: 5, charging: false, swp4Kpa: null },
      problems: [],
    });
  });

  it('lets the first entry that is present count', () => {
    const mapping: FieldMappingEntry[] = [
      { path: 'new', metric: 'levelMm' },
      { path: 'old', metric: 'levelMm' },
    ];
    expect(applyMapping({ old: 1 }, mapping).values).toEqual({ levelMm: 1 });
    expect(applyMapping({ old: 1, new: 2 }, mapping).values).toEqual({ levelMm: 2 });
  });

  it('names values of its own: a value, or with kind counter a running total', () => {
    const object = { leaf: 3, starts: 70 };
    const mapping: FieldMappingEntry[] = [
      { path: 'leaf', metric: 'custom.leaf', name: 'Leaf wetness', unit: 'mV' },
      { path: 'starts', metric: 'custom.starts', kind: 'counter', wrapAt: 65_536 },
    ];
    expect(applyMapping(object, mapping).values).toEqual({ 'custom.leaf': 3, 'counter.starts': 70 });
    expect([wrapOf(mapping, 'counter.starts'), wrapOf(mapping, 'custom.leaf')]).toEqual([65_536, null]);
    expect(mappingFault(mapping)).toBeNull();
  });

  it.each([
    'custom.',
    'custom.Leaf',
    'custom.a b',
    'custom.__proto__',
    'other.leaf',
    `custom.${'a'.repeat(32)}`,
  ])('knows no value called %s', (metric) => {
    expect(checkMapping([{ path: 'a', metric }]).ok).toBe(false);
  });

  it('has room for 64 values of its own naming, and for an end only where something is counted', () => {
    const named = (count: number): FieldMappingEntry[] =>
      Array.from({ length: count }, (_, index) => ({ path: 'a', metric: `custom.m${index}` }));
    expect([mappingFault(named(64)), mappingFault(named(65))]).toEqual([
      null,
      expect.stringContaining('65 are named'),
    ]);
    expect(mappingFault([{ path: 'a', metric: 'levelMm', wrapAt: 100 }])).toContain('0.wrapAt');
    expect(mappingFault([{ path: 'a', metric: 'pulses', kind: 'counter', wrapAt: 100 }])).toBeNull();
  });

  it('never throws, and gives nothing that a gateway could not have said', () => {
    const entry = fc.record(
      {
        path: fc.oneof(fc.constantFrom('a', 'a.b', 'a[0]', '["a"]'), fc.string({ minLength: 1 })),
        metric: fc.constantFrom(...sensorMetrics.map((info) => info.name)),
        scale: fc.double({ min: -1e9, max: 1e9, noNaN: true }),
        offset: fc.double({ min: -1e9, max: 1e9, noNaN: true }),
        unit: fc.constantFrom('mm', 'm', '°F', '%', 'constructor'),
        kind: fc.constantFrom('value' as const, 'counter' as const),
        text: fc.dictionary(fc.string(), fc.oneof(fc.boolean(), fc.integer(), fc.constant(null))),
      },
      { requiredKeys: ['path', 'metric'] },
    );
    const object = fc.oneof(fc.anything(), fc.record({ a: fc.anything() }));
    fc.assert(
      fc.property(object, fc.array(entry, { maxLength: 8 }), (value, mapping) => {
        expect(checkMapping(mapping)).toMatchObject({ ok: true });
        expect(checkValues(applyMapping(value, mapping).values)).toMatchObject({ ok: true });
      }),
    );
  });
});
