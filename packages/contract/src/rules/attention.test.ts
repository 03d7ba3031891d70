import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { attentionKinds } from '../attention-kinds.ts';
import type { Confidence, LeakSigns } from '../insights.ts';
import { attentionOf, type FarmFacts, farmStanding } from './attention.ts';
import { isTankOut, tankState } from './tank-state.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const now = Date.parse('2026-11-21T05:00:00.000Z');
const before = (ms: number) => new Date(now - ms).toISOString();

type Tank = NonNullable<FarmFacts['tanks']>[number];
const tank = (name: string, over: Partial<Tank> = {}): Tank => ({
  _id: name,
  name,
  gatewayUID: null,
  statusTime: before(HOUR / 10),
  isOutOfContact: false,
  level: { value: 62, valueInLitres: 15_500, invalid: false },
  batteryVoltage: 3.9,
  leakDetected: false,
  flow: null,
  ...over,
});
const level = (value: number | null, invalid = false) => ({ value, valueInLitres: null, invalid });
const meter = (name: string, over = {}) => ({
  _id: name,
  name,
  statusTime: before(HOUR),
  isOutOfContact: false,
  invalid: false,
  ...over,
});
const site = (name: string, over = {}) => ({
  id: name,
  name,
  statusTime: before(HOUR),
  isOutOfContact: false,
  invalidProbes: [],
  ...over,
});
const gateway = (name: string, connected: boolean, statusTime: string | null = before(HOUR)) => ({
  _id: name,
  name,
  connected,
  statusTime,
});
const units = {
  failed: 0,
  neverContacted: 0,
  ok: 0,
  inhibited: 0,
  active: 0,
  attention: 0,
  total: 0,
  stopWanted: 0,
  watering: { said: 0, planned: 0, overdue: 0, unplanned: 0 },
  next: null,
  behind: [],
};
const leak = (confidence: Confidence): LeakSigns => ({
  kind: 'night-flow',
  since: before(2 * DAY),
  litresPerHour: 40,
  litresSoFar: 900,
  confidence,
  basis: '',
});
const pump = (confidence: Confidence) => ({
  since: before(3 * HOUR),
  minutes: 180,
  risePercent: 0.2,
  confidence,
  basis: '',
});

/** "lowLevel Willows 17, Yards 5 old; 3 sprinklers" */
const summary = (facts: FarmFacts) =>
  attentionOf(facts, now).map(({ kind, devices, sprinklers }) =>
    [
      `${kind} ${devices.map(({ name, percent, isOld }) => [name, percent, isOld ? 'old' : null].filter((part) => part !== null).join(' ')).join(', ')}`.trim(),
      sprinklers > 0 ? `${sprinklers} sprinklers` : '',
    ]
      .filter(Boolean)
      .join('; '),
  );

describe('what needs a person', () => {
  it('is a command that ended badly, with all of them as one kind; without any nothing is said', () => {
    const failed = {
      title: 'Poll',
      name: 'P1',
      isForGateway: false,
      total: 1,
      failed: 1,
      unanswered: 0,
      leftOut: 0,
    };
    const commands = [
      { ...failed, _id: 'a' },
      { ...failed, _id: 'b' },
    ];
    const tanks = [tank('Willows', { level: level(17) })];
    const told = attentionOf({ failedCommands: commands, tanks }, now);
    expect(told.map(({ kind }) => kind)).toEqual(['failedCommand', 'lowLevel']);
    expect(told[0]).toEqual({ kind: 'failedCommand', count: 2, devices: [], sprinklers: 0, commands });
    expect(attentionOf({ failedCommands: [] }, now)).toEqual([]);
  });

  it('is told by kind and by name, the worst first', () => {
    const tanks = [
      tank('Willows', { level: level(17) }),
      tank('Yards', { level: level(9) }),
      tank('Silent', { statusTime: before(5 * HOUR) }),
      tank('Longer', { statusTime: before(50 * HOUR) }),
      tank('Leaky', { leakDetected: true, batteryVoltage: 3.3 }),
      tank('Odd', { level: level(null, true) }),
      tank('Mute', { level: level(null) }),
      tank('New', { statusTime: null, level: level(null), batteryVoltage: null }),
    ];
    const meters = [
      meter('Main', { isOutOfContact: true, statusTime: before(6 * HOUR) }),
      meter('Bad', { invalid: true }),
    ];
    const sites = [
      site('North', { invalidProbes: ['swp1', 'swp2'] }),
      site('South', { statusTime: null, isOutOfContact: true }),
    ];
    const gateways = [gateway('Shed', false), gateway('Mast', true), gateway('Boxed', false, null)];
    const repeaters = [
      { _id: 'Hill', name: 'Hill', statusTime: before(31 * DAY) },
      { _id: 'Ridge', name: 'Ridge', statusTime: before(30 * DAY) },
    ];
    const watering = { said: 7, planned: 6, overdue: 2, unplanned: 1 };
    const sprinklers = { ...units, failed: 5, neverContacted: 3, attention: 4, total: 20, watering };
    const lastWatering = { endAt: now - 23 * HOUR, missed: 6 };
    expect(summary({ tanks, meters, sites, gateways, repeaters, sprinklers, lastWatering })).toEqual([
      // Water that nobody asked for comes before all.
      'valveOverdue; 2 sprinklers',
      'unplannedWatering; 1 sprinklers',
      'gatewayOffline Shed',
      'leak Leaky',
      'missedWatering; 6 sprinklers',
      'lowLevel Yards 9, Willows 17',
      // The longest silence first.
      'outOfContact Hill, Longer, Main, Silent; 2 sprinklers',
      'invalidValue Odd, Bad, North',
      'noLevel Mute',
      'sprinklerError; 4 sprinklers',
      'lowBattery Leaky',
      'neverContacted Boxed, New, South; 3 sprinklers',
    ]);
  });

  it.each([
    ['of last night', { endAt: now - 8 * HOUR, missed: 1 }, ['missedWatering; 1 sprinklers']],
    ['of a day ago, which is no news', { endAt: now - DAY, missed: 1 }, []],
    ['in which all went as planned', { endAt: now - 8 * HOUR, missed: 0 }, []],
    ['where there was none', null, []],
    ['where nobody asked', undefined, []],
  ])('are sprinklers that missed a watering: %s', (_what, lastWatering, found) => {
    expect(summary({ lastWatering })).toEqual(found);
  });

  it('are leaks that readings point to, of tanks once and of what runs behind meters, while they speak', () => {
    const tanks = [
      tank('Both', { leakDetected: true }),
      tank('Found'),
      tank('Unsure'),
      tank('Flow', { flow: { flowrate: 2, direction: 1, leakDetected: true } }),
      tank('Silent', { statusTime: before(5 * HOUR), leakDetected: true }),
    ];
    const found = (name: string, confidence: Confidence = 'medium') => ({
      _id: name,
      leak: leak(confidence),
      pump: null,
    });
    const findings = {
      tanks: [found('Both'), found('Found'), found('Unsure', 'low'), found('Silent', 'high')],
      meters: ['Main', 'Quiet'].map((name) => ({ _id: name, leak: leak('high') })),
    };
    const meters = [meter('Main'), meter('Quiet', { statusTime: before(4 * HOUR) })];
    expect(summary({ tanks, meters, findings })).toEqual([
      'leak Both, Found, Flow, Main',
      'outOfContact Silent, Quiet',
    ]);
  });

  it('are pumps that lift too little, also where no earlier run is known', () => {
    const tanks = [tank('A'), tank('B'), tank('C', { statusTime: before(5 * HOUR) })];
    const findings = {
      tanks: [
        { _id: 'A', leak: null, pump: pump('medium') },
        { _id: 'B', leak: null, pump: pump('low') },
        { _id: 'C', leak: null, pump: pump('high') },
      ],
      meters: [],
    };
    expect(summary({ tanks, findings })).toEqual(['pumpLiftsLittle A, B', 'outOfContact C']);
  });

  it('of a silent tank is what it said last, marked as old', () => {
    expect(
      summary({
        tanks: [tank('Yards', { statusTime: before(5 * HOUR), level: level(9), batteryVoltage: 3.1 })],
      }),
    ).toEqual(['lowLevel Yards 9 old', 'outOfContact Yards', 'lowBattery Yards old']);
  });

  it('are devices that fell silent with their gateway once, as a number with its name', () => {
    const behindShed = (name: string, hours: number) =>
      tank(name, { gatewayUID: 'Shed', statusTime: before(hours * HOUR), level: level(9) });
    const facts = {
      gateways: [gateway('Shed', false, before(10 * HOUR)), gateway('Mast', false, null)],
      tanks: [
        // It was in contact when the gateway went, by a second and not at all.
        behindShed('With', 10.5),
        behindShed('Just', 13),
        behindShed('Earlier', 13.1),
        // Another way is open to it, and it fell silent on that.
        behindShed('Other', 5),
        behindShed('Heard', 0.1),
        tank('Own', { statusTime: before(10.5 * HOUR) }),
        tank('Mute', { gatewayUID: 'Mast', statusTime: before(10.5 * HOUR) }),
      ].map((one) => ({ ...one, level: level(62) })),
      sprinklers: {
        ...units,
        failed: 9,
        neverContacted: 2,
        total: 40,
        behind: [
          { gatewayUID: 'Shed', units: 30, silent: 4 },
          { gatewayUID: 'Mast', units: 5, silent: 5 },
        ],
      },
    };
    expect(summary(facts)).toEqual([
      'gatewayOffline Shed',
      'outOfContact Earlier, Own, Mute, Other; 3 sprinklers',
      'neverContacted Mast; 2 sprinklers',
    ]);
    expect(attentionOf(facts, now)[0]?.devices).toEqual([
      {
        device: 'gateway',
        _id: 'Shed',
        name: 'Shed',
        percent: null,
        isOld: false,
        behind: { tanks: 2, sprinklers: 30 },
      },
    ]);
    const connected = { ...facts, gateways: [gateway('Shed', true)] };
    expect(summary(connected)).toEqual(
      [
        'outOfContact Earlier, Just, With, Own, Mute, Other; 7 sprinklers',
        'neverContacted ; 2 sprinklers',
      ].map((text) => text.replace(' ;', ';')),
    );
  });

  it('names sprinklers that are few, but not who of them fell silent with a gateway', () => {
    const troubled = { silent: ['A1', 'A2'], oneError: ['B1'] };
    const sprinklers = { ...units, failed: 3, neverContacted: 1, attention: 2, total: 20, troubled };
    const named = (facts: FarmFacts) => attentionOf(facts, now).map((one) => [one.kind, one.units]);
    expect(named({ sprinklers })).toEqual([
      ['outOfContact', ['A1', 'A2']],
      ['sprinklerError', ['B1']],
      ['neverContacted', undefined],
    ]);
    const behind = [{ gatewayUID: 'Shed', units: 5, silent: 1 }];
    const gateways = [gateway('Shed', false)];
    expect(named({ gateways, sprinklers: { ...sprinklers, behind } })).toContainEqual([
      'outOfContact',
      undefined,
    ]);
  });

  it('is nothing where nothing is known, or nothing wrong', () => {
    expect(summary({})).toEqual([]);
    expect(
      summary({
        tanks: [tank('A')],
        meters: [meter('B')],
        sites: [site('C')],
        gateways: [gateway('D', true)],
        sprinklers: { ...units, ok: 9, total: 9 },
      }),
    ).toEqual([]);
  });
});

const anyTank = fc.record({
  statusTime: fc.option(fc.integer({ min: 0, max: 5 * DAY }).map(before)),
  isOutOfContact: fc.boolean(),
  level: fc.record({
    value: fc.option(fc.integer({ min: 0, max: 100 })),
    valueInLitres: fc.constant(null),
    invalid: fc.boolean(),
  }),
  batteryVoltage: fc.option(fc.double({ min: 3, max: 4.2, noNaN: true })),
  leakDetected: fc.boolean(),
});

test('every tank that is not green is told of, and no green one', () => {
  fc.assert(
    fc.property(fc.array(anyTank), (list) => {
      const tanks = list.map((over, n) => tank(`T${n}`, over));
      const attention = attentionOf({ tanks }, now);
      const named = new Set(attention.flatMap(({ devices }) => devices.map(({ name }) => name)));
      for (const one of tanks) {
        const isGreen = tankState(one, now).condition === 0;
        expect(named.has(one.name)).toBe(!isGreen);
      }
      const order = attention.map(({ kind }) => attentionKinds.indexOf(kind));
      expect(order).toEqual(order.toSorted((a, b) => a - b));
      for (const { devices, count } of attention) expect(devices).toHaveLength(count);
    }),
  );
});

test.each([
  ['6 minutes old', { statusTime: before(HOUR / 10) }, false],
  ['exactly 3 hours old', { statusTime: before(3 * HOUR) }, false],
  ['a millisecond older than 3 hours', { statusTime: before(3 * HOUR + 1) }, true],
  ['never heard of', { statusTime: null }, true],
  ['young, but the server says out', { statusTime: before(60_000), isOutOfContact: true }, true],
])('a tank whose status is %s', (_name, over, out) => {
  expect(isTankOut(tank('A', over), now)).toBe(out);
});

const none = { tanks: 0, meters: 0, sites: 0, gateways: 0, repeaters: 0, sprinklers: 0 };
test.each([
  [
    'with something wrong',
    attentionOf({ gateways: [gateway('Shed', false)] }, now),
    { ...none, gateways: 1 },
    1,
    'attention',
  ],
  ['of which all is well', [], { ...none, sprinklers: 3 }, 3, 'well'],
  ['without devices', [], none, 0, 'empty'],
  ['whose devices may not be read', [], none, 7, 'unknown'],
] as const)('a farm %s', (_name, attention, known, all, standing) => {
  expect(farmStanding(attention, known, all)).toBe(standing);
});
