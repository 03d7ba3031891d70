import { expect, test } from 'vitest';
import { buildAttention, uid } from '../../testing/fixtures.ts';
import { deviceText, nothingWrongText } from './attention-labels.ts';
import { failedText } from './failed-commands.tsx';

const none = { tanks: 0, meters: 0, sites: 0, gateways: 0, repeaters: 0, sprinklers: 0 };

test.each([
  ['', none],
  ['1 tank is in contact, with nothing wrong.', { ...none, tanks: 1 }],
  ['2 tanks and 1 gateway are in contact, with nothing wrong.', { ...none, tanks: 2, gateways: 1 }],
  [
    '5,000 sprinklers, 1 flow meter, 3 soil sites and 1 repeater are in contact, with nothing wrong.',
    { ...none, sprinklers: 5000, meters: 1, sites: 3, repeaters: 1 },
  ],
])('when all is well: "%s"', (text, units) => {
  expect(nothingWrongText(units)).toBe(text);
});

const device = { device: 'tank' as const, _id: uid(1), name: 'Willows', percent: null, isOld: false };
test.each([
  ['Willows 17\u00a0%', 'lowLevel', { percent: 16.8 }],
  ['Willows 17\u00a0% when last heard', 'lowLevel', { percent: 16.8, isOld: true }],
  ['Willows', 'leak', {}],
  ['behind Willows', 'leak', { device: 'meter' }],
  ['Willows', 'outOfContact', { device: 'meter' }],
  [
    'Willows, nothing heard of 1,200 sprinklers and 1 tank behind it',
    'gatewayOffline',
    { device: 'gateway', behind: { tanks: 1, sprinklers: 1200 } },
  ],
  [
    'Willows, nothing heard of 2 tanks behind it',
    'gatewayOffline',
    { device: 'gateway', behind: { tanks: 2, sprinklers: 0 } },
  ],
] as const)('a device is "%s" under %s', (text, kind, over) => {
  expect(deviceText(buildAttention(kind, []), { ...device, ...over })).toBe(text);
});

const failedCommand = {
  _id: uid(1),
  title: 'Inhibit Group',
  name: 'North',
  isForGateway: false,
  total: 40,
  failed: 0,
  unanswered: 0,
  leftOut: 0,
};
test.each([
  ['3 of 40 sprinklers did not take Inhibit Group, North', { failed: 3 }],
  [
    '1,200 of 5,000 sprinklers did not answer Inhibit Group, Whole farm',
    { unanswered: 1200, total: 5000, name: '-' },
  ],
  ['3 of 40 sprinklers did not confirm Inhibit Group, North', { failed: 1, unanswered: 2 }],
  ['40 of 40 sprinklers left out of Inhibit Group, North: inhibited', { leftOut: 40 }],
  ['P042 did not take Valve Off', { failed: 1, total: 1, name: 'P042', title: 'Valve Off' }],
  [
    '1 of 2 gateways did not answer Set Time, North',
    { unanswered: 1, total: 2, title: 'Set Time', isForGateway: true },
  ],
])('a command that ended badly: "%s"', (text, over) => {
  expect(failedText({ ...failedCommand, ...over })).toBe(text);
});
