import { expect, test } from 'vitest';
import { defaultSettings } from '../default-settings.ts';
import { isNewer, isOld, migrateSettings, readSettings } from './settings-migrations.ts';

const id = (n: number) => n.toString(16).padStart(24, '0');
const visible = (type: string) => ({ type, visible: true, configs: {} });
/** What the later steps add, so that each test names only its own. */
const added = {
  displayTooltips: true,
  displayPOI: true,
  displaySensors: true,
  displaySpares: false,
  showSpareReadyDialog: true,
  displayIPCMap: true,
  displayTankMap: true,
};

test('version 0 has no tooltips flag: tooltips are on', () => {
  expect(migrateSettings({ currFarm: id(1) }, 0)).toEqual({ currFarm: id(1), ...added });
});

test('version 1 has no POI flag: points of interest are shown; its own tooltips flag stays', () => {
  expect(migrateSettings({ displayTooltips: false }, 1)).toEqual({ ...added, displayTooltips: false });
});

test('version 2 has no flags of sensors and spares: sensors are shown, spares are not', () => {
  const before = { displayTooltips: true, displayPOI: false };
  expect(migrateSettings(before, 2)).toEqual({ ...added, displayPOI: false });
});

test('version 3 has no Gateway I/O card: existing farms get it hidden, behind the cards they have', () => {
  const before = {
    displaySpares: true,
    farms: [
      { info: { id: id(1) }, dashboard: { cards: [visible('Tank'), visible('Headline')], columns: 2 } },
      { info: { id: id(2) } },
      { info: { id: id(3) }, dashboard: { cards: [visible('IO')] } },
    ],
    dashboard: { cards: [visible('Flow')] },
  };
  const io = { type: 'IO', visible: false, configs: {} };
  const all = ['Headline', 'SoilMoisture', 'Tank', 'Flow', 'IPCStatus', 'IPCHealth', 'IPCComms'];
  expect(migrateSettings(before, 3)).toEqual({
    displaySpares: true,
    farms: [
      { info: { id: id(1) }, dashboard: { cards: [visible('Tank'), visible('Headline'), io], columns: 2 } },
      { info: { id: id(2) }, dashboard: { cards: [...all.map(visible), io] } },
      { info: { id: id(3) }, dashboard: { cards: [visible('IO')] } },
    ],
    dashboard: { cards: [visible('Flow'), io] },
    showSpareReadyDialog: true,
    displayIPCMap: true,
    displayTankMap: true,
  });
});

test('version 4 has no flag of the spare-ready dialog: it is shown', () => {
  expect(migrateSettings({ displaySpares: true }, 4)).toEqual({
    displaySpares: true,
    showSpareReadyDialog: true,
    displayIPCMap: true,
    displayTankMap: true,
  });
});

test('version 5 has no maps on farm cards: both are shown', () => {
  expect(migrateSettings({ showSpareReadyDialog: false }, 5)).toEqual({
    showSpareReadyDialog: false,
    displayIPCMap: true,
    displayTankMap: true,
  });
});

test('versions 6 and later stay as they are', () => {
  expect(migrateSettings({ displayPOI: false }, 6)).toEqual({ displayPOI: false });
  expect(migrateSettings({ maps: 'all' }, 7)).toEqual({ maps: 'all' });
});

test('members that no version knows are kept', () => {
  const read = readSettings({ data: { soilNotes: [{ id: 1 }] }, version: 0 });
  expect(read).toEqual({ ...defaultSettings, soilNotes: [{ id: 1 }] });
});

test('nothing stored is the defaults, and isn’t old', () => {
  expect(readSettings({ data: null, version: 6 })).toEqual(defaultSettings);
  expect(isOld({ data: null, version: 0 })).toBe(false);
  expect(isOld({ data: {}, version: 5 })).toBe(true);
  expect(isOld({ data: {}, version: 6 })).toBe(false);
  expect(isNewer({ data: {}, version: 7 })).toBe(true);
});

test('a document of wrong types is migrated all the same', () => {
  const junk = { farms: 'none', dashboard: [], displayPOI: 'yes', currFarm: 12 };
  expect(readSettings({ data: junk, version: 0 })).toEqual(defaultSettings);
  expect(
    readSettings({ data: { farms: [null, 3, { dashboard: { cards: 'x' } }] }, version: 3 }).farms,
  ).toEqual([]);
});
