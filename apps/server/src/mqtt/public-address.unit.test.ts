import { expect, it } from 'vitest';
import { publicBroker } from './public-address.ts';

it.each([
  ['mqtts://water.example.com', 1883, null, { host: 'water.example.com', port: 8883, tls: true }],
  ['mqtt://us:secret@10.0.0.7:2883', null, null, { host: '10.0.0.7', port: 2883, tls: false }],
  [null, 18_941, null, { host: '', port: 18_941, tls: false }],
  [null, 1883, 8883, { host: '', port: 8883, tls: true }],
  [null, null, null, null],
])(
  'of %s and a broker of our own at %s and by TLS at %s, devices are told %o',
  (publicUrl, port, tlsPort, told) => {
    expect(publicBroker(publicUrl, { mqttPort: () => port, mqttTlsPort: () => tlsPort })).toEqual(told);
  },
);
