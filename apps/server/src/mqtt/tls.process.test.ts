import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { freePort } from '../testing/free-port.ts';
import type { BrokerTls } from './broker-address.ts';
import { createExternalBroker } from './external-broker.ts';
import { eventually, Inbox, KEY, MAC, signIn, startTransport, up } from './testing/transport-kit.ts';
import { type Authority, makeAuthority } from './testing/authority.ts';
import { hasMosquitto, startMosquitto } from './testing/mosquitto.ts';

/** Mosquitto with a TLS listener beside the plain one. */
async function startSecure(authority: Authority, subjectAltName: string, extra = '') {
  const { cert, key } = authority.sign('broker', subjectAltName);
  const port = await freePort();
  const listener = `listener ${port} 127.0.0.1\ncertfile ${cert}\nkeyfile ${key}\ncafile ${authority.file}\n${extra}`;
  return { mosquitto: await startMosquitto({ extra: listener }), port };
}

async function openTransport(port: number, tls: BrokerTls, user = `headrace:${KEY}`) {
  const inbox = new Inbox();
  const transport = createExternalBroker({
    url: `mqtts://${user}@127.0.0.1:${port}`,
    tls,
    clientId: 'headrace-1',
    filters: ['headrace/v1/+/up/#'],
    onOversize: inbox.takeOversize,
    reconnectMs: { min: 20, max: 100 },
  });
  await startTransport(transport, inbox);
  return { transport, inbox };
}

/** Why it does not connect. */
async function faultOf(port: number, tls: BrokerTls, user?: string): Promise<string | null> {
  const { transport } = await openTransport(port, tls, user);
  await eventually(() => transport.status().trouble !== 'not connected yet');
  return transport.status().trouble;
}

describe.skipIf(!hasMosquitto)('a broker behind TLS', () => {
  it('is spoken to with the authority that is given, and brings what devices say', async () => {
    const authority = await makeAuthority();
    const { mosquitto, port } = await startSecure(authority, 'IP:127.0.0.1');
    const { transport, inbox } = await openTransport(port, { ca: await authority.pem() });
    await eventually(() => transport.status().connected);
    const gateway = await signIn(mosquitto.port, MAC);
    await gateway.publishAsync(up('sensor'), 'sealed', { qos: 1 });
    await inbox.count(1);
    expect([inbox.texts, transport.status().trouble]).toEqual([['sealed'], null]);
  });

  it('is refused when another authority signed its certificate, or none that the system knows', async () => {
    const authority = await makeAuthority();
    const { port } = await startSecure(authority, 'IP:127.0.0.1');
    const fault =
      "the broker's certificate is not signed by a trusted authority: name its authority's file in MQTT_CA_FILE";
    expect(await faultOf(port, { ca: await (await makeAuthority()).pem() })).toBe(fault);
    expect(await faultOf(port, {})).toBe(fault);
  });

  it('is refused when its certificate is for another host', async () => {
    const authority = await makeAuthority();
    const { port } = await startSecure(authority, 'DNS:broker.example.com');
    expect(await faultOf(port, { ca: await authority.pem() })).toBe(
      "the broker's certificate is for another host name than MQTT_URL has",
    );
  });

  it('refuses a wrong password, which the log and /readyz say without it', async () => {
    const authority = await makeAuthority();
    const { port } = await startSecure(authority, 'IP:127.0.0.1');
    expect(await faultOf(port, { ca: await authority.pem() }, 'headrace:wrong-one')).toBe(
      'refused: not authorised',
    );
  });

  it('may ask for a certificate of ours', async () => {
    const authority = await makeAuthority();
    const { port } = await startSecure(authority, 'IP:127.0.0.1', 'require_certificate true');
    const ca = await authority.pem();
    expect(await faultOf(port, { ca })).toMatch(/MQTT_CERT_FILE and MQTT_KEY_FILE/);
    const paths = authority.sign('server', 'DNS:server');
    const [cert, key] = await Promise.all([readFile(paths.cert, 'utf8'), readFile(paths.key, 'utf8')]);
    const { transport } = await openTransport(port, { ca, cert, key });
    await eventually(() => transport.status().connected);
  });
});
