import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as topics from './topics.ts';

const mac = 'D0F5AB00000000A1';

describe('topics', () => {
  it.each([
    [`headrace/v1/${mac}/state`, { transport: 'gateway', mac, kind: 'state' }],
    [`headrace/v1/${mac}/up/sensor`, { transport: 'gateway', mac, kind: 'sensor' }],
    [`headrace/v1/0004A30B00AA/up/hello`, { transport: 'gateway', mac: '0004A30B00AA', kind: 'hello' }],
    [`headrace/v1/${mac}/down/ipc-list`, { transport: 'gateway-down', mac, kind: 'ipc-list' }],
    [
      'application/17c82e96/device/a84041ffff1829d3/event/up',
      { transport: 'chirpstack', applicationId: '17c82e96', devEui: 'A84041FFFF1829D3', event: 'up' },
    ],
    [
      'v3/waihao-tanks@ttn/devices/hill-tank/up',
      {
        transport: 'the-things-stack',
        applicationId: 'waihao-tanks',
        tenantId: 'ttn',
        deviceId: 'hill-tank',
        event: 'up',
      },
    ],
    [
      'v3/waihao-tanks/devices/hill-tank/down/queued',
      {
        transport: 'the-things-stack',
        applicationId: 'waihao-tanks',
        tenantId: null,
        deviceId: 'hill-tank',
        event: 'down/queued',
      },
    ],
  ])('reads %s', (topic, expected) => {
    expect(topics.parseTopic(topic)).toEqual(expected);
  });

  it.each([
    '',
    'headrace',
    `headrace/v2/${mac}/state`,
    `headrace/v1/${mac}`,
    `headrace/v1/${mac.toLowerCase()}/state`,
    `headrace/v1/${mac}/state/x`,
    `headrace/v1/${mac}/up/cmd`,
    `headrace/v1/${mac}/down/hello`,
    `headrace/v1/${mac}/up/constructor`,
    `headrace/v1/${mac}/up/#`,
    'headrace/v1/+/up/sensor',
    'headrace/live/x',
    'application//device/a84041ffff1829d3/event/up',
    'application/1/device/tank/event/up',
    'application/1/device/a84041ffff1829d3/event/',
    'v3/a@b@c/devices/d/up',
    'v3/a/devices/d',
    `v3/${'a'.repeat(600)}/devices/d/up`,
  ])('does not know %s', (topic) => {
    expect(topics.parseTopic(topic)).toBeNull();
  });

  it('reads back what it builds', () => {
    for (const kind of [...topics.gatewayUpKinds, 'state'] as const)
      expect(topics.parseTopic(topics.gatewayTopic(mac, kind))).toEqual({ transport: 'gateway', mac, kind });
    for (const kind of topics.gatewayDownKinds)
      expect(topics.parseTopic(topics.gatewayDownTopic(mac, kind))).toEqual({
        transport: 'gateway-down',
        mac,
        kind,
      });
    expect(topics.parseTopic(topics.chirpstackTopic('1', mac))).toMatchObject({ devEui: mac, event: 'up' });
    expect(topics.parseTopic(topics.theThingsStackTopic('a', 't', 'd'))).toMatchObject({ tenantId: 't' });
  });

  it('never throws, whatever the topic', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom('headrace', 'v1', mac, 'up', 'v3'))),
        (levels) => {
          topics.parseTopic(levels.join('/'));
        },
      ),
    );
  });

  it('takes the separators out of a MAC address', () => {
    expect(topics.normaliseMac('d0:f5:ab:00:00:00:00:a1')).toBe(mac);
    expect(topics.normaliseMac('0004-A30B-00aa')).toBe('0004A30B00AA');
    expect(topics.normaliseMac('D0F5')).toBeNull();
  });

  it.each(['000000000000', '0000000000000000', 'ff:ff:ff:ff:ff:ff', 'FFFFFFFFFFFFFFFF'])(
    'has no device %s',
    (mac) => {
      expect(topics.normaliseMac(mac)).toBeNull();
    },
  );
});
