import { checker } from '@headrace/device/check';
import { FieldMapping } from '@headrace/device/field-mapping';
import { describe, expect, it } from 'vitest';
import { demoAccounts, demoShares } from './accounts.ts';
import { demoFarms } from './demo-farms.ts';
import { deviceKey, integrationKey } from './device-key.ts';
import { isInside } from './geo.ts';
import { scheduleEntries } from './irrigation-plan.ts';
import { rowName } from './layouts.ts';
import { makeFarmProfile } from './make-farm.ts';
import type { FarmProfile } from './profile.ts';

const farms = demoFarms();
const load = makeFarmProfile({
  seed: 7,
  sprinklers: 1000,
  tanks: 20,
  soilSites: 10,
  flowMeters: 4,
  repeaters: 20,
});
const devicesOf = (farm: FarmProfile) => [
  ...farm.gateways,
  ...farm.repeaters,
  ...farm.sprinklers,
  ...farm.sensors,
];
const tanksOf = (farm: FarmProfile) => farm.sensors.filter((sensor) => sensor.model.kind === 'tank');

describe('the demo farms', () => {
  it('are as large as the demo says', () => {
    const sizes = farms.map((farm) => [
      farm.name,
      farm.sprinklers.filter((sprinkler) => !sprinkler.isSpareUnit).length,
      tanksOf(farm).length,
      farm.repeaters.length,
    ]);
    expect(sizes).toEqual([
      ['Rakaia Downs', 50, 14, 3],
      ['Waihao Flats', 300, 8, 6],
      ['Barcoo Station', 0, 18, 0],
    ]);
    expect(farms[1]?.irrigation?.groups).toHaveLength(12);
    expect(farms[2]).toMatchObject({ tankOnly: true, timeZone: 'Australia/Brisbane' });
  });

  it('are the same at every call', () => {
    expect(demoFarms()).toEqual(farms);
    expect(
      makeFarmProfile({ seed: 7, sprinklers: 1000, tanks: 20, soilSites: 10, flowMeters: 4, repeaters: 20 }),
    ).toEqual(load);
  });

  it.each([...farms, load])(
    '$name: devices have unlike addresses and serial numbers, and names that fit',
    (farm) => {
      const devices = devicesOf(farm);
      expect(new Set(devices.map((device) => device.mac)).size).toBe(devices.length);
      expect(new Set(devices.map((device) => device.serialNumber)).size).toBe(devices.length);
      for (const device of devices) {
        expect(device.mac).toMatch(/^[0-9A-F]{16}$/);
        const limit = device.kind === 'sprinkler' || device.kind === 'repeater' ? 5 : 40;
        expect(device.name.length).toBeGreaterThan(0);
        expect(device.name.length).toBeLessThanOrEqual(limit);
      }
    },
  );

  it.each([...farms, load])('$name: every device stands inside the boundary', (farm) => {
    const strays = devicesOf(farm).filter((device) => !isInside(device, farm.boundary));
    expect(strays.map((device) => device.name)).toEqual([]);
  });

  it.each([...farms, load])(
    '$name: a gateway or network server of the farm speaks for every device',
    (farm) => {
      const macs = new Set(farm.gateways.map((gateway) => gateway.mac));
      for (const unit of [...farm.sprinklers, ...farm.repeaters])
        expect(macs.has(unit.gatewayMac)).toBe(true);
      for (const sensor of farm.sensors)
        expect(sensor.gatewayMac === null ? farm.networkServer !== null : macs.has(sensor.gatewayMac)).toBe(
          true,
        );
    },
  );

  it('have no address in common, nor with load farms', () => {
    const all = [...farms, load, makeFarmProfile({ seed: 8, sprinklers: 50, tanks: 5 })].flatMap(devicesOf);
    expect(new Set(all.map((device) => device.mac)).size).toBe(all.length);
    expect(new Set(all.map((device) => device.serialNumber)).size).toBe(all.length);
  });

  it('keep their numbers within what the product accepts', () => {
    for (const { settings } of farms.flatMap(tanksOf)) {
      expect(settings.toplevel).toBeLessThanOrEqual((settings.offset ?? 0) + 3000);
      expect(settings.volume).toBeGreaterThan(0);
    }
    const check = checker(FieldMapping);
    for (const { mapping } of farms.flatMap((farm) => farm.sensors))
      if (mapping) expect(check(mapping)).toMatchObject({ ok: true });
  });

  it('show each of the faults people look for', () => {
    const faults = tanksOf(farms[0] as FarmProfile).map(({ model }) =>
      model.kind === 'tank' ? model.fault : '',
    );
    expect(faults.filter((fault) => fault !== 'none').sort()).toEqual(['invalid-levels', 'silent']);
  });
});

describe('the irrigation plan', () => {
  const held = (farm: number, name: string) => {
    const profile = farms[farm] as FarmProfile;
    const mac = profile.sprinklers.find((unit) => unit.name === name)?.mac ?? '';
    return scheduleEntries(profile).get(mac);
  };
  it('waters a line one sprinkler after another, on over midnight', () => {
    // Rakaia: 28 minutes each from 21:00.
    expect(held(0, 'A01')).toEqual([{ start: 1260, duration: 28, cycle: 1 }]);
    expect(held(0, 'A02')).toEqual([{ start: 1288, duration: 28, cycle: 1 }]);
    // The eighth begins 196 minutes later, at 00:16.
    expect(held(0, 'B08')).toEqual([{ start: 16, duration: 28, cycle: 1 }]);
  });
  it('leaves a hole where a sprinkler is out of service, and has nothing for a spare', () => {
    expect([held(0, 'C05'), held(0, 'SP1')]).toEqual([undefined, undefined]);
    expect(held(0, 'C06')).toEqual([{ start: 1400, duration: 28, cycle: 1 }]);
  });
  it('has shorter waterings where the newest schedule has not got to', () => {
    const { irrigation, sprinklers } = farms[1] as FarmProfile;
    const minutes = new Map(sprinklers.map(({ group, name }) => [group, held(1, name)?.[0]?.duration]));
    expect(irrigation?.groups.map((group) => minutes.get(group))).toEqual([
      ...Array(6).fill(28),
      ...Array(6).fill(22),
    ]);
  });
});

describe('accounts and keys', () => {
  it('share farms that exist with accounts that exist', () => {
    const keys = farms.map((farm) => farm.key);
    const emails = demoAccounts.map((account) => account.email);
    for (const share of demoShares) {
      expect(keys).toContain(share.farmKey);
      expect(emails).toContain(share.email);
    }
    for (const farm of farms) expect(emails).toContain(farm.ownerEmail);
  });

  // Expected value: printf 'gateway:0004A30000010001' | openssl dgst -sha256 -hmac secret -binary | base64, in the URL alphabet.
  it('derive a key of 32 bytes for each device from the secret', () => {
    expect(deviceKey('secret', '0004A30000010001')).toBe('oWDJP6ii6ZIGpYO3oQ7PiwHNIcbLZJglRQOjUN75XZU');
    expect(deviceKey('secret', '0004A30000010002')).not.toBe(deviceKey('secret', '0004A30000010001'));
    expect(integrationKey('secret', 'Rakaia Downs')).toHaveLength(43);
  });

  it('name rows in at most two letters', () => {
    expect([0, 25, 26, 51, 52].map(rowName)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA']);
  });
});
