import { describe, expect, it, test } from 'vitest';
import { gatewayTypes } from '@headrace/contract/gateway-types';
import { buildGateway } from './gateway-fixtures.ts';
import { gatewayColumns, versionText } from './gateway-facts.ts';

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
      buildGateway({
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
      buildGateway({
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
    expect(gatewayColumns(buildGateway({ type: gatewayTypes.LORA })).settings).toEqual([]);
  });
});
