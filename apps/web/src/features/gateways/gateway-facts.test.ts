import { describe, expect, it, test } from 'vitest';
import { gatewayTypes } from '@headrace/contract/gateway-types';
import type { Gateway } from '@headrace/contract/gateways';
import { uid } from '../../testing/fixtures.ts';
import { gatewayColumns, versionText } from './gateway-facts.ts';

const build = (over: Partial<Gateway>): Gateway => ({
  _id: uid(1),
  name: 'Ridge',
  siteName: '',
  macAddress: '0018B2000A4F',
  serialNumber: 'GW1',
  type: gatewayTypes.INC,
  farmUID: uid(2),
  location: { lat: 0, lng: 0 },
  settings: {},
  info: {},
  latestStatus: [],
  statusTime: null,
  connected: false,
  description: '',
  channel: 1,
  spfactor: 10,
  sync: false,
  version: 1,
  updatedAt: '2026-01-05T02:00:00.000Z',
  ...over,
});
const named = (facts: { name: string; value: string; unit?: string }[]) =>
  Object.fromEntries(facts.map(({ name, value, unit }) => [name, unit ? `${value} ${unit}` : value]));

test.each([
  [312, '3.12'],
  [300, '3.00'],
  ['105', '1.05'],
  [undefined, '–'],
  ['beta', '–'],
])('version %s reads %s', (value, text) => {
  expect(versionText(value)).toBe(text);
});

describe('the columns of a gateway', () => {
  it('of type INC', () => {
    const { details, settings } = gatewayColumns(
      build({
        info: { firmwareVersion: 312, bootloaderVersion: 104 },
        settings: { clockTreshold: 60, chargeThreshold: 50 },
      }),
    );
    expect(named(details)).toMatchObject({ Type: 'INC', Firmware: '3.12', Bootloader: '1.04', Site: '–' });
    expect(named(settings)).toMatchObject({
      'Clock threshold': '60 s',
      'Charge threshold': '50 %',
      Clock: '–',
    });
    expect(settings).toHaveLength(10);
  });
  it('of type LSG_V1', () => {
    const { details, settings } = gatewayColumns(
      build({
        type: gatewayTypes.LSG_V1,
        settings: { channel: 3, spfactor: 10 },
        latestStatus: [
          { data: { lastRestart: '02/11/2026 03:12', validMessageCount: 18231, logFolderSize: 14.2 } },
        ],
      }),
    );
    expect(named(details)).toMatchObject({
      'Last restart': '02/11/2026 03:12',
      'Valid messages': '18,231',
      'Log folder': '14.2 MB',
    });
    expect(named(settings)).toEqual({ Channel: '3', 'Spreading factor': '10' });
  });
  it('of other types have no settings', () => {
    expect(gatewayColumns(build({ type: gatewayTypes.LORA })).settings).toEqual([]);
  });
});
