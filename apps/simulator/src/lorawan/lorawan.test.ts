import type { SensorItem } from '@headrace/device/messages';
import type { SensorValues } from '@headrace/device/metrics';
import { decodeUplink } from '@headrace/device/decode-uplink';
import type { SensorProfile } from '@headrace/demo/profile';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as world from '../testing/field.ts';
import { networkEvent, uplinkEvent } from './chirpstack-events.ts';
import { encodePayload } from './payloads.ts';

const spring = world.rakaia.sensors.find(({ name }) => name === 'Terrace spring') as SensorProfile;
const at = '2026-02-10T03:00:00.000Z';
const item = (values: SensorValues): SensorItem => ({ mac: spring.mac, at, values });

describe('a payload in bytes', () => {
  const hex = (text: string) => Buffer.from(text, 'base64').toString('hex').toUpperCase();

  // Examples of vendor/decentlab/dl-ctd10-codec.yaml and dl-trs21-codec.yaml in TheThingsNetwork/lorawan-devices.
  it('is as the maker lays it out', () => {
    const depth = { levelMm: 4232, temperatureC: 12.9, batteryV: 3.168 };
    expect(hex(encodePayload('decentlab-dl-ctd10', depth, 'LW2009'))).toBe('0207D9000390888081006400000C60');
    const soil = { swp1Kpa: 11.7, temperatureC: 16.1, batteryV: 3.109 };
    expect(hex(encodePayload('decentlab-dl-trs21', soil, 'LW402'))).toBe('0201920003007580A10C25');
    expect(hex(encodePayload('decentlab-dl-trs21', { batteryV: 3.109 }, 'LW402'))).toBe('02019200020C25');
  });

  it('goes out without an object, so that somebody else has to decode it', () => {
    const raw: SensorProfile = {
      ...spring,
      mapping: null,
      lorawan: { encoding: 'raw', format: 'decentlab-dl-ctd10', fPort: 1 },
    };
    const event = uplinkEvent(item({ levelMm: 4232, batteryV: 3.168 }), raw, { applicationId: 'a', fCnt: 7 });
    const topic = { transport: 'chirpstack' as const, applicationId: 'a', devEui: spring.mac, event: 'up' };
    const decoded = decodeUplink(topic, Buffer.from(JSON.stringify(event)));
    expect(decoded).toMatchObject({ ok: true, uplink: { at, fPort: 1, fCnt: 7, object: null } });
    if (decoded.ok) expect([...(decoded.uplink.bytes ?? [])].slice(5, 7)).toEqual([0x90, 0x88]);
  });
});

describe('events of the network server', () => {
  it('join and status have the members that ChirpStack gives them', () => {
    const time = Date.parse(at);
    expect(networkEvent(spring, 'a', { kind: 'join', at: time })).toMatchObject({
      time: '2026-02-10T03:00:00.000000000+00:00',
      deviceInfo: { applicationId: 'a', deviceName: 'Terrace spring', devEui: spring.mac.toLowerCase() },
      devAddr: expect.stringMatching(/^[0-9a-f]{8}$/),
    });
    expect(
      networkEvent(spring, 'a', { kind: 'status', at: time, margin: 9, batteryPercent: 80 }),
    ).toMatchObject({
      margin: 9,
      batteryLevel: 80,
    });
    expect(
      networkEvent(spring, 'a', { kind: 'status', at: time, margin: 9, batteryPercent: null }),
    ).toMatchObject({ batteryLevelUnavailable: true });
  });

  afterEach(() => void vi.useRealTimers());

  it('a status comes once a day', async () => {
    vi.useFakeTimers({ now: world.afternoon });
    // Three days of all its sprinklers would take long.
    const sensors = world.rakaia.sensors.filter(({ name }) => name === 'Terrace spring');
    const one = world.liveField({ profile: { ...world.rakaia, sprinklers: [], sensors } });
    await one.run(3 * 24 * world.hour);
    expect(one.events).toEqual(
      Array.from({ length: 3 }, () => ({ kind: 'status', device: 'Terrace spring' })),
    );
    one.stop();
  });
});
