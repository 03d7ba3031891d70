import { expect, it } from 'vitest';
import { passkeySite } from './passkey-site.ts';

it.each([
  ['https://water.example.com', { id: 'water.example.com', origin: 'https://water.example.com' }],
  ['https://water.example.com:8443', { id: 'water.example.com', origin: 'https://water.example.com:8443' }],
  ['http://localhost:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://127.0.0.1:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://farm.local:3000', null],
  ['http://192.168.1.20:3000', null],
  ['https://192.168.1.20', null],
  ['https://[2001:db8::1]', null],
])('passkeys of %s are made for %j', (publicUrl, site) => {
  expect(passkeySite(publicUrl)).toEqual(site);
});
