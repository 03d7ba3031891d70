import { readFileSync } from 'node:fs';
import { checker } from '@headrace/device/check';
import { gatewayTypes } from '@headrace/device/numbers';
import { SiteFile } from '@headrace/device/site-file';
import { canterburyPlains } from '@headrace/demo/climates';
import { tankModel } from '@headrace/demo/devices';
import type { FarmProfile } from '@headrace/demo/profile';

const maxBytes = 4 * 1024 * 1024;
const defaultReportSeconds = 300;

/** A farm that was made by hand, and what its gateways sign in with. */
export type Site = {
  readonly profile: FarmProfile;
  /** By the MAC address of the gateway. */
  readonly keys: ReadonlyMap<string, string>;
};

const check = checker(SiteFile);

/** Throws with what is wrong with the file. */
export function readSite(path: string): Site {
  const text = readFileSync(path, 'utf8');
  if (text.length > maxBytes) throw new Error(`${path} is larger than 4 MB`);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new Error(`${path} is not JSON`);
  }
  const checked = check(content);
  if (!checked.ok) throw new Error(`${path}: ${checked.reason}`);
  return siteOf(checked.value);
}

/** What the file says of the devices; the rest is an ordinary farm of the plains, without a plan of irrigation. */
export function siteOf(site: SiteFile): Site {
  const { name, timeZone, location, gateways, sprinklers = [], repeaters = [], tanks = [] } = site;
  const [first] = gateways;
  const gatewayMac = first?.mac ?? '';
  const place = { description: '', ...location };
  const radio = { farmId: '01:01', channel: 1 };
  const profile: FarmProfile = {
    key: `site-${gatewayMac}`,
    name,
    description: '',
    country: 'NZ',
    timeZone,
    address: { street: '', suburb: '', city: '', zip: '', country: '' },
    location,
    boundary: [],
    irrigationAreaHa: 0,
    tankOnly: sprinklers.length === 0,
    ownerEmail: '',
    radio,
    gateways: gateways.map(({ key: _key, ...gateway }) => ({
      ...place,
      ...gateway,
      kind: 'gateway',
      io: gateway.type === gatewayTypes.INC ? { inputs: titles('In'), relays: titles('Out') } : null,
    })),
    repeaters: repeaters.map((repeater) => ({
      ...place,
      ...repeater,
      kind: 'repeater',
      gatewayMac,
      model: { startCharge: 95, hops: 1 },
    })),
    sprinklers: sprinklers.map((unit) => ({
      ...place,
      ...unit,
      ...radio,
      kind: 'sprinkler',
      type: 'IPC',
      gatewayMac,
      commsMode: 1,
      group: '',
      isSpareUnit: false,
      isOutOfService: false,
      litresPerSecond: 4,
      model: { hops: 1, driftSecondsPerDay: 0.5, startCharge: 95, fault: 'none' },
    })),
    sensors: tanks.map(({ reportEverySeconds = defaultReportSeconds, ...tank }) => ({
      ...place,
      ...tank,
      kind: 'sensor',
      gatewayMac,
      mapping: null,
      reportEverySeconds,
      model: tankModel({ radioLoss: 0 }),
    })),
    pois: [],
    networkServer: null,
    climate: canterburyPlains,
    irrigation: null,
  };
  return { profile, keys: new Map(gateways.map(({ mac, key }) => [mac, key])) };
}

const titles = (word: string) => Array.from({ length: 6 }, (_, index) => `${word} ${index + 1}`);
