import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Compile } from 'typebox/compile';
import { defaultSettings, defaultStressBands } from '../default-settings.ts';
import { Settings } from '../settings.ts';
import { mendSettings } from './settings-mend.ts';

const schema = Compile(Settings);
const id = (n: number) => n.toString(16).padStart(24, '0');

test('each member that can’t be used gives way to its default, and the others stay', () => {
  const stored = {
    currFarm: 'the big one',
    displayTooltips: 'no',
    displayPOI: false,
    displaySpares: true,
    tankLook: 'list',
    tankOrder: 'dearest',
    smCurrDisplayed: null,
    filters: [{ target: 'Flow', timeScale: 'Week', range: 'all' }, { timeScale: 'Day' }],
    headlines: [
      { position: 0, type: 'TankLevel', configs: { uid: 'a' } },
      { position: 1, type: 'Barometer' },
      { position: 2, type: 8 },
      { position: 9, type: 4 },
    ],
  };
  expect(mendSettings(stored)).toEqual({
    ...defaultSettings,
    displayPOI: false,
    displaySpares: true,
    tankLook: 'list',
    smCurrDisplayed: null,
    filters: [{ target: 'Flow', timeScale: 'Week' }],
    headlines: [
      { position: 0, type: 4, configs: { uid: 'a' } },
      { position: 2, type: 8 },
    ],
  });
});

test('a farm without an id is dropped; of others only what can’t be used', () => {
  const farms = [
    { info: { name: 'Nameless' } },
    {
      info: { id: id(1), tankOnly: 'yes', position: { lat: 400, lng: 1 } },
      displayIPCMap: false,
      sites: [{ id: 's1', smPlot: { rain: true, swp1: 2 }, soilType: 9, smStressBands: [] }, { id: 4 }],
      dashboard: { cards: [{ type: 'Tank' }, { visible: true }] },
      note: 'north',
    },
  ];
  expect(mendSettings({ farms }).farms).toEqual([
    {
      info: { id: id(1) },
      displayIPCMap: false,
      sites: [{ id: 's1', smPlot: { rain: true }, smStressBands: [...defaultStressBands] }],
      dashboard: { cards: [{ type: 'Tank', visible: true }] },
      note: 'north',
    },
  ]);
});

test.each([[null], ['text'], [7], [[]]])('%j is mended to the defaults', (stored) => {
  expect(mendSettings(stored)).toEqual(defaultSettings);
});

test('whatever was stored, what is read of it can be stored again', () => {
  const member = fc.constantFrom(...Object.keys(Settings.properties));
  const entry = fc.oneof(
    fc.jsonValue(),
    fc.record({
      info: fc.record({ id: fc.oneof(fc.constant(id(3)), fc.string()), name: fc.jsonValue() }),
      smStressBands: fc.array(fc.jsonValue()),
      dashboard: fc.record({ cards: fc.array(fc.record({ type: fc.string(), visible: fc.jsonValue() })) }),
    }),
    fc.record({ id: fc.string(), smPlot: fc.jsonValue(), soilType: fc.integer() }),
  );
  const value = fc.oneof(fc.jsonValue(), fc.array(entry, { maxLength: 5 }));
  fc.assert(
    fc.property(fc.dictionary(fc.oneof(member, fc.string()), value, { maxKeys: 90 }), (stored) => {
      const mended = mendSettings(stored);
      expect([...schema.Errors(mended)]).toEqual([]);
      expect(mendSettings(mended)).toEqual(mended);
    }),
    { numRuns: 400 },
  );
});
