import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sender } from './transport.ts';
import { isUplink, mayPublish, mayRetain, maySubscribe } from './topic-rights.ts';

const OWN = '0004A30B001C0530';
const OTHER = '0004A30B001C0531';
const gateway: Sender = { kind: 'gateway', farmId: 1, deviceId: 2, mac: OWN };
const network: Sender = { kind: 'network', farmId: 1, keyId: 3 };
const server: Sender = { kind: 'server' };
const broker: Sender = { kind: 'broker' };

const publishing: [Sender, string, boolean][] = [
  [gateway, `headrace/v1/${OWN}/up/hello`, true],
  [gateway, `headrace/v1/${OWN}/up/sensor/deeper`, true],
  [gateway, `headrace/v1/${OWN}/state`, true],
  [gateway, `headrace/v1/${OWN}/up`, false],
  [gateway, `headrace/v1/${OWN}/up/`, false],
  [gateway, `headrace/v1/${OWN}/state/x`, false],
  [gateway, `headrace/v1/${OWN}/down/cmd`, false],
  [gateway, `headrace/v1/${OTHER}/up/hello`, false],
  [gateway, `headrace/v1/${OTHER}/state`, false],
  [gateway, `headrace/v1/${OWN.toLowerCase()}/up/hello`, false],
  [gateway, `headrace/v1/${OWN}/up/+`, false],
  [gateway, `headrace/v1/${OWN}/up/#`, false],
  [gateway, `/headrace/v1/${OWN}/up/hello`, false],
  [gateway, 'application/1/device/0102030405060708/event/up', false],
  [gateway, '$SYS/uptime', false],
  [gateway, '', false],
  [network, 'application/1/device/0102030405060708/event/up', true],
  [network, 'application/1/device/0102030405060708/event/join', true],
  [network, 'application/1/device/0102030405060708/command/down', false],
  [network, 'application/1/device/event/up', false],
  [network, 'application/1/device/0102/event/up/more', false],
  [network, 'v3/riverside@ttn/devices/soil-1/up', true],
  [network, 'v3/riverside@ttn/devices/soil-1/join', true],
  [network, 'v3/riverside@ttn/devices/soil-1/down/ack', true],
  [network, 'v3/riverside@ttn/devices/soil-1/down/push', false],
  [network, 'v3/riverside@ttn/devices/soil-1/down/replace', false],
  [network, 'v3/riverside@ttn/soil-1/up', false],
  [network, `headrace/v1/${OWN}/up/hello`, false],
  [network, '$SYS/uptime', false],
  [server, `headrace/v1/${OWN}/down/cmd`, true],
  [server, '$SYS/uptime', false],
  [broker, `headrace/v1/${OWN}/up/hello`, true],
  [broker, 'v3/riverside@ttn/devices/soil-1/up', true],
  [broker, `headrace/v1/${OWN}/down/cmd`, false],
  [broker, 'headrace/v1/nobody/up/hello', false],
];

const subscribing: [Sender, string, boolean][] = [
  [gateway, `headrace/v1/${OWN}/down/#`, true],
  [gateway, `headrace/v1/${OWN}/down/cmd`, true],
  [gateway, `headrace/v1/${OWN}/down/+`, true],
  [gateway, `headrace/v1/${OWN}/down`, false],
  [gateway, `headrace/v1/${OWN}/#`, false],
  [gateway, `headrace/v1/${OWN}/up/#`, false],
  [gateway, 'headrace/v1/+/down/#', false],
  [gateway, `headrace/v1/${OTHER}/down/#`, false],
  [gateway, '#', false],
  [gateway, '+/+/+/down/#', false],
  [gateway, `$share/x/headrace/v1/${OWN}/down/#`, false],
  [gateway, '$SYS/#', false],
  [network, 'application/+/device/+/event/+', false],
  [network, `headrace/v1/${OWN}/down/#`, false],
  [network, '#', false],
  [server, '#', true],
  [server, '$SYS/#', false],
  [broker, '#', false],
];

describe('topic rights', () => {
  it.each(publishing)('%o publishing on %s: %s', (sender, topic, expected) => {
    expect(mayPublish(sender, topic)).toBe(expected);
  });

  it.each(subscribing)('%o subscribing to %s: %s', (sender, filter, expected) => {
    expect(maySubscribe(sender, filter)).toBe(expected);
  });

  it('lets no filter of a gateway match a topic outside its own corner', () => {
    const root = ['headrace', 'v1', OWN, 'down'].map((level) =>
      fc.oneof({ weight: 6, arbitrary: fc.constant(level) }, fc.constantFrom('+', OTHER, '')),
    );
    const end = fc.array(fc.constantFrom('cmd', '+', ''), { maxLength: 2 });
    const filters = fc.tuple(fc.tuple(...root), end, fc.boolean());
    fc.assert(
      fc.property(filters, fc.constantFrom('', 'x', 'x/y', OTHER), ([start, middle, isOpen], rest) => {
        const levels = [...start, ...middle];
        if (!maySubscribe(gateway, [...levels, ...(isOpen ? ['#'] : [])].join('/'))) return;
        const matching = [
          ...levels.map((level) => level.replace('+', OTHER)),
          ...(isOpen ? [rest] : []),
        ].join('/');
        expect(matching.startsWith(`headrace/v1/${OWN}/down/`)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('never gives one gateway what belongs to another', () => {
    const mac = fc.string({
      unit: fc.constantFrom(...'0123456789ABCDEF'.split('')),
      minLength: 12,
      maxLength: 12,
    });
    fc.assert(
      fc.property(mac, mac, fc.string(), (own, other, end) => {
        fc.pre(own !== other);
        const sender: Sender = { kind: 'gateway', farmId: 1, deviceId: 1, mac: own };
        expect(mayPublish(sender, `headrace/v1/${other}/up/${end}`)).toBe(false);
        expect(maySubscribe(sender, `headrace/v1/${other}/down/${end}`)).toBe(false);
      }),
    );
  });

  it('knows a device speaking from us speaking, and keeps only the state', () => {
    expect(isUplink(`headrace/v1/${OWN}/up/hello`)).toBe(true);
    expect(isUplink(`headrace/v1/${OWN}/down/cmd`)).toBe(false);
    expect(isUplink('headrace/live/7')).toBe(false);
    expect(mayRetain(gateway, `headrace/v1/${OWN}/state`)).toBe(true);
    expect(mayRetain(gateway, `headrace/v1/${OWN}/up/hello`)).toBe(false);
    expect(mayRetain(gateway, `headrace/v1/${OWN}/up/state`)).toBe(false);
    expect(mayRetain(network, 'v3/a/devices/b/up')).toBe(false);
  });
});
