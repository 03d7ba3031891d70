import { defaultSettings, headlineTypes } from '../default-settings.ts';
import type { FarmSettings, Settings } from '../settings.ts';
import { mendBands } from './stress-bands.ts';

/** Reads one member of a stored document; `undefined`: it can't be used, and is left out. */
type Read<T = unknown> = (value: unknown) => T | undefined;
type Members = Record<string, Read>;
type Fields = Record<string, unknown>;

/** As the contract's schema has it. */
const MAX_MEMBERS = 64;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const flag: Read<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);
const text =
  (max: number): Read<string> =>
  (value) =>
    typeof value === 'string' && value.length <= max ? value : undefined;
const name = text(64);
const oneOf =
  (...words: readonly string[]): Read<string> =>
  (value) =>
    words.find((word) => word === value);
const uid: Read<string> = (value) =>
  typeof value === 'string' && /^[0-9a-f]{24}$/i.test(value) ? value : undefined;
const whole =
  (min: number, max: number): Read<number> =>
  (value) =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined;
const orNull =
  <T>(read: Read<T>): Read<T | null> =>
  (value) =>
    value === null ? null : read(value);

const listOf =
  <T>(read: Read<T>, max: number): Read<T[]> =>
  (value) =>
    Array.isArray(value) ? value.flatMap((entry) => read(entry) ?? ([] as T[])).slice(0, max) : undefined;

/** An object whose members are read one by one; what is unknown stays. Without a `needed` one it can't be used. */
function shape(members: Members, needed: readonly string[] = []): Read<Fields> {
  const known = Object.keys(members);
  return (value) => {
    if (!isFields(value)) return undefined;
    const unknown = Object.entries(value).filter(([key]) => !known.includes(key));
    const read = known.flatMap((key): [string, unknown][] => {
      const mended = members[key]?.(value[key]);
      return mended === undefined ? [] : [[key, mended]];
    });
    const mended = Object.fromEntries([...read, ...unknown].slice(0, MAX_MEMBERS));
    return needed.every((key) => key in mended) ? mended : undefined;
  };
}

const configs = shape({});
const bands: Read = (value) => (Array.isArray(value) ? mendBands(value) : undefined);

const plotFlags = ['average', 'rain', 'rainAccumulated', 'rainHourly', 'swp1', 'swp2', 'temperature'];
const site = shape(
  {
    id: name,
    smPlot: shape(Object.fromEntries(plotFlags.map((series) => [series, flag]))),
    smStressBands: bands,
    soilType: whole(1, 5),
  },
  ['id'],
);
const range = shape({ from: name, to: name }, ['from', 'to']);
const filter = shape({ target: name, timeScale: name, range: orNull(range) }, ['target']);
/** Documents before these were numbered have a word. */
const headlineType: Read<number> = (value) =>
  whole(-1, 10)(typeof value === 'string' ? Reflect.get(headlineTypes, value) : value);
const headline = shape({ position: whole(0, 3), type: headlineType, configs }, ['position', 'type']);
/** A card that doesn't say whether it is shown is shown. */
const card = shape({ type: name, visible: (value) => flag(value) ?? true, configs }, ['type']);

const ofAnyFarm: Members = {
  filters: listOf(filter, 32),
  sites: listOf(site, 100),
  headlines: listOf(headline, 4),
  smCurrDisplayed: orNull(name),
  smStressBands: bands,
  dashboard: shape({ cards: listOf(card, 32) }),
  displayIPCMap: flag,
  displayTankMap: flag,
};

const within =
  (limit: number): Read<number> =>
  (value) =>
    typeof value === 'number' && Math.abs(value) <= limit ? value : undefined;
const info = shape(
  {
    id: uid,
    accountId: name,
    name: text(300),
    description: text(1000),
    icon: name,
    position: shape({ lat: within(90), lng: within(180) }, ['lat', 'lng']),
    tankOnly: flag,
  },
  ['id'],
);
const farm = shape({ info, ...ofAnyFarm }, ['info']) as Read<FarmSettings>;

const document = shape({
  currFarm: orNull(uid),
  farms: listOf(farm, 500),
  ...ofAnyFarm,
  tankLook: oneOf('cards', 'list'),
  tankOrder: oneOf('worst', 'name'),
  displayTooltips: flag,
  displayPOI: flag,
  displaySensors: flag,
  displaySpares: flag,
  showSpareReadyDialog: flag,
});

/** A usable document out of anything: each member that can't be used gives way to its default. Never throws. */
export function mendSettings(stored: unknown): Settings {
  return { ...defaultSettings, ...document(stored) };
}
