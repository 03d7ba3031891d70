import { describe, expect, it, test } from 'vitest';
import { gatewayTypes } from '@headrace/contract/gateway-types';
import { buildFarmRecord, rakaia } from '../../testing/fixtures.ts';
import { gatewayStanding } from '../../device-records/gateway-view-model.ts';
import { buildGateway } from './gateway-fixtures.ts';
import { gatewayColumns, versionText, secondsText } from './gateway-columns.ts';

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

test('the types have their numbers', () => {
  expect(gatewayTypes).toEqual({ INC: 0, LORA: 1, IMSG_V1: 100, LSG_V1: 101, IMSG_V2: 102 });
});

test.each([
  ['never', null, 'inhibited', 'Never contacted'],
  ['a day ago', '2026-11-19T21:00:00.000Z', 'ok', 'In contact'],
  ['longer ago', '2026-11-19T20:59:59.999Z', 'issue', 'Out of contact'],
])('a gateway heard %s is gray, green or red', (_name, statusTime, condition, label) => {
  const now = Date.parse('2026-11-20T21:00:00.000Z');
  expect(gatewayStanding({ statusTime }, now)).toEqual({ condition, label });
});

describe('the columns of a gateway', () => {
  const zone = buildFarmRecord(rakaia).timezone;
  it('of type INC', () => {
    const { details, settings } = gatewayColumns(
      buildGateway({
        info: { firmwareVersion: 312, bootloaderVersion: 104 },
        settings: {
          rtcTime: '2026-11-20T21:00:00Z',
          ipcListSize: 71,
          rptrListSize: 4,
          schListSize: 210,
          commsMaxAttempts: 3,
          commsMaxTTL: 600,
          chargeThreshold: 50,
          clockTreshold: 60,
          statusPeriod: 900,
        },
      }),
      zone,
    );
    expect(named(details)).toMatchObject({ Type: 'INC', Firmware: '3.12', Bootloader: '1.04', Site: '–' });
    expect(named(settings)).toEqual({
      // On the farm's clock, 13 hours ahead; the day is written as the viewer's country does.
      'Clock, as last told': expect.stringMatching(/^\d\d\/\d\d\/2026 10:00/),
      'Sprinklers in its list': '71',
      'Repeaters in its list': '4',
      'Schedules in its list': '210',
      'Attempts at most': '3',
      'Answer waited for': '10 minutes',
      'Charge threshold': '50 %',
      'Clock threshold': '1 minute',
      'Status period': '15 minutes',
      'Time set period': '–',
    });
  });
  it('show a clock that is no time as it was sent', () => {
    const settings = { rtcTime: 'not set' };
    expect(named(gatewayColumns(buildGateway({ settings }), zone).settings)).toMatchObject({
      'Clock, as last told': 'not set',
    });
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
      zone,
    );
    expect(named(details)).toMatchObject({
      'Last restart': '02/11/2026 03:12',
      'Valid messages': '18,231',
      'Log folder': '14.2 MB',
    });
    expect(named(settings)).toEqual({ Channel: '3', 'Spreading factor': '10' });
  });
  it('of other types have no settings', () => {
    expect(gatewayColumns(buildGateway({ type: gatewayTypes.LORA }), zone).settings).toEqual([]);
  });
});

test.each([
  [45, '45 seconds'],
  [90, '90 seconds'],
  [3600, '1 hour'],
  [86_400, '1 day'],
  [172_800, '2 days'],
  [0, '0 seconds'],
  [0.5, '0.5 seconds'],
])('%d s are written "%s"', (seconds, text) => {
  expect(secondsText(seconds)).toBe(text);
});
