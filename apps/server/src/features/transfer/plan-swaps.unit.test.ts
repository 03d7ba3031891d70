import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presets } from '@headrace/contract/permissions';
import type { FileUnit } from '@headrace/contract/rules/files/file-units';
import type { ContentDevice } from './farm-content.repo.ts';
import { type PlanFarm, planImport, type PlanRow } from './plan-import.ts';

const macOf = (n: number) => `0004D1${n.toString(16).toUpperCase().padStart(6, '0')}`;
const device = (n: number, more: Partial<ContentDevice> = {}): ContentDevice => ({
  id: n,
  uid: `${n}`.padStart(24, 'a'),
  kind: 'sprinkler',
  type: 0,
  name: `A${n}`,
  description: '',
  serial_number: `IPC${n}`,
  mac: macOf(n),
  lat: null,
  lng: null,
  settings: {},
  mapping: null,
  version: 1,
  builtin_codec: null,
  codec_id: null,
  codec_version: null,
  shares_serial: false,
  gatewayUid: null,
  groups: [],
  ...more,
});
const farmOf = (devices: readonly ContentDevice[]): PlanFarm => ({
  land: { name: 'Farm', lat: -43.75, lng: 171.95, boundary: [] },
  devices,
  groups: new Map(),
  takenMacs: new Set([macOf(9000)]),
  knownMacs: new Map(),
  onTheWay: new Map(),
  radio: { farmId: '01:01', channel: 1 },
});
/** Of sprinkler n: the MAC of another one. */
type Said = readonly [n: number, mac: number];
const rowsOf = (said: readonly Said[]): FileUnit[] =>
  said.map(([n, mac], index) => ({
    line: index + 2,
    kind: 'sprinkler',
    name: `A${n}`,
    serialNumber: `IPC${n}`,
    macAddress: macOf(mac),
    faults: [],
  }));
const plan = (devices: readonly ContentDevice[], said: readonly Said[]) =>
  planImport(rowsOf(said), farmOf(devices), { asSpares: false, replaceIpcs: false }, presets.farmManager);
const outcomeOf = ({ action, together, others, why }: PlanRow) => [
  action,
  together,
  others.map(({ device: { name }, fields }) => [name, ...fields.map(({ to }) => to)]),
  why,
];

describe('a MAC that another unit of the farm has', () => {
  const three = [1, 2, 3].map((n) => device(n));
  it.each<[string, readonly ContentDevice[], readonly Said[], unknown[][]]>([
    [
      'is swapped for its own',
      three,
      [[1, 2]],
      [
        [
          'choose',
          undefined,
          [['A2', macOf(1)]],
          `A2 has this MAC address. Ticked, they swap: A2 gets ${macOf(1)}.`,
        ],
      ],
    ],
    [
      'that says so too goes together with it',
      three,
      [
        [1, 2],
        [2, 1],
      ],
      [
        [
          'choose',
          0,
          [],
          'A2 has this MAC address, and another one on line 3. It goes together with line 3.',
        ],
        [
          'choose',
          0,
          [],
          'A1 has this MAC address, and another one on line 2. It goes together with line 2.',
        ],
      ],
    ],
    [
      'that gets a free one goes together with it, and nobody is left without',
      three,
      [
        [1, 2],
        [2, 50],
      ],
      [
        [
          'choose',
          0,
          [],
          'A2 has this MAC address, and another one on line 3. It goes together with line 3.',
        ],
        ['choose', 0, [], 'A1 gets its MAC address on line 2. It goes together with line 2.'],
      ],
    ],
    [
      'goes round three, of which the last gets what the first had',
      three,
      [
        [2, 3],
        [1, 2],
      ],
      [
        [
          'choose',
          0,
          [['A3', macOf(1)]],
          `A3 has this MAC address. Ticked, they swap: A3 gets ${macOf(1)}. It goes together with line 3.`,
        ],
        [
          'choose',
          0,
          [],
          'A2 has this MAC address, and another one on line 2. It goes together with line 2.',
        ],
      ],
    ],
    [
      'goes round three that all stand in the file',
      three,
      [
        [1, 2],
        [2, 3],
        [3, 1],
      ],
      [
        [
          'choose',
          0,
          [],
          'A2 has this MAC address, and another one on line 3. It goes together with line 3, 4.',
        ],
        [
          'choose',
          0,
          [],
          'A3 has this MAC address, and another one on line 4. It goes together with line 2, 4.',
        ],
        [
          'choose',
          0,
          [],
          'A1 has this MAC address, and another one on line 2. It goes together with line 2, 3.',
        ],
      ],
    ],
    [
      'that is a gateway stays with it',
      [device(1), device(2, { kind: 'gateway', name: 'G' })],
      [[1, 2]],
      [['left out', undefined, [], 'Line 2: It is in use as G. Compare it with the label.']],
    ],
    [
      'that is a repeater stays with it',
      [device(1), device(2, { kind: 'repeater', name: 'R' })],
      [[1, 2]],
      [['left out', undefined, [], 'Line 2: It is in use as R. Compare it with the label.']],
    ],
    [
      'stays with it where there is nothing to give in return',
      [device(1, { mac: null }), device(2)],
      [[1, 2]],
      [['left out', undefined, [], 'Line 2: It is in use as A2. Compare it with the label.']],
    ],
    [
      'of another farm is left out, and told of nobody',
      three,
      [[1, 9000]],
      [['left out', undefined, [], 'Line 2: It is in use on another farm. Compare it with the label.']],
    ],
  ])('%s', async (_what, devices, said, rows) => {
    expect((await plan(devices, said)).map(outcomeOf)).toEqual(rows);
  });

  it('is told of nothing that the person may not see', async () => {
    const units = rowsOf([[1, 2]]);
    const farm = farmOf([device(1), device(2, { kind: 'sensor', name: 'Pump' })]);
    const options = { asSpares: false, replaceIpcs: false };
    const rights = { ...presets.farmManager, sensors: 0 };
    const [row] = await planImport(units, farm, options, rights);
    expect(row?.why).toBe(
      'Line 2: It is in use by a device that you may not see. Compare it with the label.',
    );
  });
});

/** Of rows about one unit the first, or the one that can be ticked in its place; of those that go together all or none. */
function doneOf(rows: readonly PlanRow[], isInstead: boolean): PlanRow[] {
  const open = rows.filter(({ action }) => action !== 'left out' && action !== 'same');
  const instead = isInstead ? open.filter((row) => row.isInstead) : [];
  const claimed = new Set<string>();
  const chosen = new Set(
    [...instead, ...open.filter((row) => !row.isInstead)].filter(({ claims = [] }) => {
      if (claims.some((key) => claimed.has(key))) return false;
      for (const key of claims) claimed.add(key);
      return true;
    }),
  );
  const halves = new Set(open.flatMap((row) => (chosen.has(row) ? [] : (row.together ?? []))));
  return [...chosen].filter(({ together = -1 }) => !halves.has(together));
}

it('whatever rows say, done whole each unit has one MAC of its own, rows have what they say, and none is lost', async () => {
  const said = fc.array(fc.tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 12 })), {
    maxLength: 10,
  });
  await fc.assert(
    fc.asyncProperty(said, fc.boolean(), async (rows, isInstead) => {
      const devices = Array.from({ length: 8 }, (_none, n) => device(n + 1));
      const planned = await plan(devices, rows);
      const macs = new Map(devices.map(({ id, mac }) => [id, mac ?? '']));
      for (const { device: unit, values, others } of doneOf(planned, isInstead)) {
        if (!unit || !values) continue;
        macs.set(unit.id, values.macAddress);
        for (const { device: other, fields } of others)
          for (const { from, to } of fields) {
            expect(from).toBe(other.mac);
            macs.set(other.id, to);
          }
      }
      expect(new Set(macs.values()).size).toBe(8);
      // What nobody has any more was given up for a free one.
      const taken = new Set(macs.values());
      const lost = devices.filter(({ mac }) => !taken.has(mac ?? '')).length;
      expect(lost).toBe([...taken].filter((mac) => mac > macOf(8)).length);
    }),
    { numRuns: 500 },
  );
});

it('a column that was sorted by itself, of 5,000 sprinklers, is planned in its length', async () => {
  const devices = Array.from({ length: 5000 }, (_none, n) => device(n + 1));
  const rows = await plan(
    devices,
    devices.map(({ id }): Said => [id, (id % 5000) + 1]),
  );
  expect([rows.length, new Set(rows.map(({ together }) => together)).size]).toEqual([5000, 1]);
  expect(rows[7]?.why).toBe(
    'A9 has this MAC address, and another one on line 10. It goes together with line 2, 3, 4, 5, 6 and 4,994 more.',
  );
});
