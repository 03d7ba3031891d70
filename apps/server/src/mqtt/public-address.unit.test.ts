import { expect, it } from 'vitest';
import { publicBroker } from './public-address.ts';

it.each([
  ['mqtts://water.example.com', 1883, { host: 'water.example.com', port: 8883, tls: true }],
  ['mqtt://us:secret@10.0.0.7:2883', null, { host: '10.0.0.7', port: 2883, tls: false }],
  [null, 18_941, { host: '', port: 18_941, tls: false }],
  [null, null, null],
])('of %s and a broker of our own at %s, devices are told %o', (publicUrl, ownPort, told) => {
  expect(publicBroker(publicUrl, ownPort)).toEqual(told);
});
