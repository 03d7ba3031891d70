import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import chirpstack from '../fixtures/chirpstack-up.json' with { type: 'json' };
import theThingsStack from '../fixtures/the-things-stack-up.json' with { type: 'json' };
import { decodeUplink } from './decode-uplink.ts';
import type { ChirpstackTopic, TheThingsStackTopic } from './topics.ts';

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const chirpstackTopic: ChirpstackTopic = {
  transport: 'chirpstack',
  applicationId: '17c82e96-be03-4f38-aef3-f83d48582d97',
  devEui: 'A84041FFFF1829D3',
  event: 'up',
};
const ttsTopic: TheThingsStackTopic = {
  transport: 'the-things-stack',
  applicationId: 'waihao-tanks',
  tenantId: 'ttn',
  deviceId: 'hill-tank',
  event: 'up',
};
const sent = Uint8Array.of(0x0e, 0xe4, 0x01, 0x2c, 0x00);

describe('decodeUplink', () => {
  it('reads a ChirpStack uplink', () => {
    expect(decodeUplink(chirpstackTopic, bytes(chirpstack))).toEqual({
      ok: true,
      uplink: {
        devEui: 'A84041FFFF1829D3',
        at: '2026-01-14T18:04:15.775Z',
        fPort: 2,
        fCnt: 4,
        bytes: sent,
        object: chirpstack.object,
        link: [
          { metric: 'rssiDbm', value: -97 },
          { metric: 'snrDb', value: 5.5 },
        ],
        facts: [
          { name: 'contact', value: 'up' },
          { name: 'fCnt', value: '4' },
          { name: 'gateway', value: '0016c001f153a14c' },
        ],
      },
    });
  });

  it("reads a Things Stack uplink at the network's receive time, not when it was passed on", () => {
    expect(decodeUplink(ttsTopic, bytes(theThingsStack))).toEqual({
      ok: true,
      uplink: {
        devEui: 'A84041FFFF1829D4',
        at: '2026-01-14T18:04:16.700Z',
        fPort: 2,
        fCnt: 9,
        bytes: sent,
        object: theThingsStack.uplink_message.decoded_payload,
        link: [
          { metric: 'rssiDbm', value: -101 },
          { metric: 'snrDb', value: 2.2 },
          { metric: 'batteryPercent', value: 87 },
        ],
        facts: [
          { name: 'contact', value: 'up' },
          { name: 'fCnt', value: '9' },
          { name: 'gateway', value: 'woolshed' },
        ],
      },
    });
  });

  it('has the normalized payload of The Things Stack beside what was decoded, or alone', () => {
    const normalized_payload = [{ soil: { moisture: 27 } }];
    const sent = (decoded: object) => {
      const { decoded_payload: _, ...message } = theThingsStack.uplink_message;
      return decodeUplink(
        ttsTopic,
        bytes({ ...theThingsStack, uplink_message: { ...message, normalized_payload, ...decoded } }),
      );
    };
    expect(sent({ decoded_payload: { vwc: 27 } })).toMatchObject({
      uplink: { object: { vwc: 27, normalized_payload } },
    });
    expect(sent({})).toMatchObject({ uplink: { object: { normalized_payload } } });
  });

  it('takes a simulated uplink for no reading, and says of which device it is', () => {
    expect(decodeUplink(ttsTopic, bytes({ ...theThingsStack, simulated: true }))).toEqual({
      ok: false,
      reason: "simulated in the network server's console: not a reading",
      devEui: 'A84041FFFF1829D4',
    });
    expect(decodeUplink(ttsTopic, bytes({ ...theThingsStack, simulated: false }))).toMatchObject({
      ok: true,
    });
  });

  it('keeps of several gateways the one that heard it best', () => {
    const rxInfo = [
      { gatewayId: 'far', rssi: -90, snr: -4 },
      { gatewayId: 'near', rssi: -95, snr: 6 },
      { gatewayId: 'nearer', rssi: -94, snr: 6 },
      { gatewayId: 'dumb' },
    ];
    const decoded = decodeUplink(chirpstackTopic, bytes({ ...chirpstack, rxInfo }));
    expect(decoded).toMatchObject({
      uplink: { facts: [{}, {}, { value: 'nearer' }], link: [{ value: -94 }, { value: 6 }] },
    });
  });

  it('takes members of the value zero as left out', () => {
    const { fCnt: _fCnt, fPort: _fPort, object: _object, ...rest } = chirpstack;
    const decoded = decodeUplink(chirpstackTopic, bytes(rest));
    expect(decoded).toMatchObject({ ok: true, uplink: { fCnt: 0, fPort: 0, object: null } });
  });

  it('moves a receive time with an offset to UTC', () => {
    const decoded = decodeUplink(
      chirpstackTopic,
      bytes({ ...chirpstack, time: '2026-01-15T07:04:15+13:00' }),
    );
    expect(decoded).toMatchObject({ uplink: { at: '2026-01-14T18:04:15.000Z' } });
  });

  it.each([
    [{ ...chirpstack, deviceInfo: { devEui: 'a84041ffff1829d9' } }, 'must be the DevEUI of the topic'],
    [{ ...chirpstack, time: 'yesterday' }, 'time must be an ISO-8601 time'],
    [{ ...chirpstack, data: '***' }, 'data must be base64'],
    [{ ...chirpstack, deviceInfo: undefined }, 'required properties deviceInfo'],
  ])('refuses a ChirpStack uplink that is wrong', (value, reason) => {
    expect(decodeUplink(chirpstackTopic, bytes(value))).toMatchObject({
      reason: expect.stringContaining(reason) as string,
    });
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.constantFrom(chirpstackTopic, ttsTopic), fc.jsonValue(), (topic, value) => {
        decodeUplink(topic, bytes(value));
      }),
    );
  });
});
