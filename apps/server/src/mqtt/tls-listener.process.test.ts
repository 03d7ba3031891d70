import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { connect as connectTls, type PeerCertificate } from 'node:tls';
import { promisify } from 'node:util';
import mqttClient from 'mqtt';
import { describe, expect, it, onTestFinished } from 'vitest';
import { watchCertificate } from './certificate-files.ts';
import { type Authority, makeAuthority } from './testing/authority.ts';
import { hasMosquitto } from './testing/mosquitto.ts';
import { eventually, isClosed, KEY, MAC, openBroker, openRaw, up } from './testing/transport-kit.ts';

const run = promisify(execFile);
const HOST = '127.0.0.1';
const now = () => new Date();

/** The built-in broker with a door by TLS, whose certificate is watched as the server does it. */
async function openListener(options: Parameters<typeof openBroker>[0] = {}) {
  const authority = await makeAuthority();
  const paths = authority.sign('broker', `IP:${HOST}`);
  const files = { certFile: paths.cert, keyFile: paths.key };
  const told: string[] = [];
  const watch = watchCertificate({
    files,
    now,
    onRenewed: (pems) => broker.renewCertificate(pems),
    tell: (sentence) => void told.push(sentence),
    everyMs: 20,
  });
  onTestFinished(() => watch.stop());
  const { broker, inbox } = await openBroker({
    ...(watch.first && { tls: { host: HOST, port: 0, certificate: watch.first } }),
    ...options,
  });
  return { authority, paths, broker, inbox, watch, told, port: broker.tlsPort ?? 0 };
}

async function open(port: number, authority: Authority) {
  const socket = connectTls({ host: HOST, port, ca: await authority.pem() });
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, 'secureConnect');
  return socket;
}

/** Of the certificate that is shown to who comes now. */
async function serialNumber(port: number, authority: Authority): Promise<string> {
  const socket = await open(port, authority);
  const { serialNumber: number }: PeerCertificate = socket.getPeerCertificate();
  socket.destroy();
  return number;
}

describe('the built-in broker by TLS', () => {
  it.skipIf(!hasMosquitto)(
    'takes what mosquitto_pub says to it with the authority’s file, and from nobody without',
    async () => {
      const { authority, inbox, port } = await openListener();
      const words = [
        '-h',
        HOST,
        '-p',
        String(port),
        '-u',
        MAC,
        '-P',
        KEY,
        '-q',
        '1',
        '-t',
        up('sensor'),
        '-m',
      ];
      await run('mosquitto_pub', [...words, 'sealed', '--cafile', authority.file]);
      await inbox.count(1);
      const stranger = await makeAuthority();
      await expect(run('mosquitto_pub', [...words, 'astray', '--cafile', stranger.file])).rejects.toThrow();
      await expect(run('mosquitto_pub', [...words, 'open'])).rejects.toThrow();
      expect(inbox.texts).toEqual(['sealed']);
      expect(inbox.messages[0]?.sender).toMatchObject({ kind: 'gateway', mac: MAC });
    },
  );

  it('has its certificate renewed without a dropped reading, and shows the new one to who comes then', async () => {
    const { authority, inbox, port } = await openListener();
    const gateway = await mqttClient.connectAsync(`mqtts://${HOST}:${port}`, {
      protocolVersion: 4,
      reconnectPeriod: 0,
      username: MAC,
      password: KEY,
      ca: await authority.pem(),
    });
    onTestFinished(() => gateway.endAsync(true));
    let closings = 0;
    gateway.on('close', () => (closings += 1));
    const before = await serialNumber(port, authority);
    const sent: string[] = [];
    const say = () => {
      sent.push(`reading ${sent.length}`);
      return gateway.publishAsync(up('sensor'), sent.at(-1) ?? '', { qos: 1 });
    };
    for (let count = 0; count < 20; count += 1) await say();
    authority.sign('broker', `IP:${HOST}`);
    let shown = before;
    while (shown === before) {
      await say();
      shown = await serialNumber(port, authority);
    }
    for (let count = 0; count < 20; count += 1) await say();
    await inbox.count(sent.length);
    expect([inbox.texts, closings]).toEqual([sent, 0]);
  });

  it('goes on with the certificate it has while the files don’t belong together, and says so', async () => {
    const { authority, paths, port, watch, told } = await openListener();
    const before = await serialNumber(port, authority);
    const other = authority.sign('other', `IP:${HOST}`);
    await copyFile(other.cert, paths.cert);
    await eventually(() => watch.trouble()?.includes('is not the key') ?? false);
    expect(watch.trouble()).toContain("can't be used");
    expect(await serialNumber(port, authority)).toBe(before);
    await copyFile(other.key, paths.key);
    await eventually(() => !watch.trouble()?.includes('is not the key'));
    expect(await serialNumber(port, authority)).not.toBe(before);
    expect(told.filter((sentence) => sentence.includes('is not the key'))).toHaveLength(1);
  });

  it('that begins with files that don’t belong together has no listener by TLS, and says so until it is started anew', async () => {
    const authority = await makeAuthority();
    const paths = authority.sign('broker', `IP:${HOST}`);
    const files = { certFile: paths.cert, keyFile: paths.key };
    await copyFile(authority.sign('other', `IP:${HOST}`).cert, paths.cert);
    const watch = watchCertificate({
      files,
      now,
      onRenewed: () => undefined,
      tell: () => undefined,
      everyMs: 20,
    });
    onTestFinished(() => watch.stop());
    expect(watch.first).toBeNull();
    expect(watch.trouble()).toMatch(
      /^the certificate for MQTT can't be used, and by TLS no device gets in: .* Mend the files, and restart the server$/,
    );
    authority.sign('broker', `IP:${HOST}`);
    await eventually(() => watch.trouble()?.includes('can be used now') ?? false);
  });

  it('says from two weeks before its end when the certificate ends, and that it has', async () => {
    const authority = await makeAuthority();
    const { cert: certFile, key: keyFile } = authority.sign('broker', `IP:${HOST}`, 30);
    let at = new Date();
    const watch = watchCertificate({
      files: { certFile, keyFile },
      now: () => at,
      onRenewed: () => undefined,
      tell: () => undefined,
    });
    onTestFinished(() => watch.stop());
    if (!watch.first) throw new Error('The certificate can be used.');
    const { endsAt } = watch.first;
    const day = endsAt.toISOString().slice(0, 10);
    expect(watch.trouble()).toBeNull();
    at = new Date(endsAt.getTime() - 3 * 86_400_000);
    expect(watch.trouble()).toBe(`the certificate for MQTT ends on ${day}, in 3 days: renew its files`);
    at = endsAt;
    expect(watch.trouble()).toBe(
      `the certificate for MQTT has ended on ${day}: devices that check it stay away`,
    );
  });

  it('speaks TLS 1.2 and 1.3, and no older one', async () => {
    const { authority, port } = await openListener();
    const ca = await authority.pem();
    const versionOf = async (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') => {
      const socket = connectTls({
        host: HOST,
        port,
        ca,
        minVersion: version,
        maxVersion: version,
        ciphers: 'DEFAULT:@SECLEVEL=0',
      });
      const came = once(socket, 'secureConnect').then(
        () => socket.getProtocol(),
        ({ code }: NodeJS.ErrnoException) => code,
      );
      onTestFinished(() => void socket.destroy());
      return came;
    };
    expect(await versionOf('TLSv1.2')).toBe('TLSv1.2');
    expect(await versionOf('TLSv1.3')).toBe('TLSv1.3');
    expect(await versionOf('TLSv1.1')).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
  });

  it('takes no weak suite of TLS 1.2, before its certificate is renewed or after', async () => {
    const { authority, broker, paths, port } = await openListener();
    const ca = await authority.pem();
    const agreed = (ciphers: string) => {
      const socket = connectTls({ host: HOST, port, ca, maxVersion: 'TLSv1.2', ciphers });
      onTestFinished(() => void socket.destroy());
      return once(socket, 'secureConnect').then(
        () => socket.getCipher().name,
        ({ code }: NodeJS.ErrnoException) => code,
      );
    };
    const renewed = async () =>
      broker.renewCertificate({
        cert: await readFile(paths.cert, 'utf8'),
        key: await readFile(paths.key, 'utf8'),
      });
    for (const renew of [() => Promise.resolve(), renewed]) {
      await renew();
      // Those that this certificate could be used with: static RSA is refused by the same list.
      for (const weak of ['ECDHE-ECDSA-AES128-SHA', 'ECDHE-ECDSA-AES256-SHA384', 'ECDHE-ECDSA-AES128-CCM8'])
        expect([weak, await agreed(weak)]).toEqual([weak, expect.stringMatching(/HANDSHAKE_FAILURE$/)]);
      expect(await agreed('ECDHE+AESGCM:ECDHE+CHACHA20')).toMatch(/^ECDHE-.*(GCM|POLY1305)/);
    }
  });

  it('sends away who speaks no TLS, who stops half-way, and who says nothing behind it', async () => {
    const { authority, broker, port } = await openListener({ connectTimeoutMs: 150 });
    const open1883 = await openRaw(port);
    open1883.write('GET / HTTP/1.1\r\n\r\n');
    expect(await isClosed(open1883)).toBe(true);
    const halfWay = await openRaw(port);
    halfWay.write(Buffer.from([0x16, 0x03]));
    expect(await isClosed(halfWay)).toBe(true);
    expect(await isClosed(await open(port, authority))).toBe(true);
    expect(broker.status().dropped['noTls']).toBeGreaterThan(0);
  });

  it('makes room for others by the one that has been silent for longest, before and behind TLS', async () => {
    const { authority, port } = await openListener({ maxSilent: { perKey: 2, all: 10 } });
    const before = await openRaw(port);
    await open(port, authority);
    await openRaw(port);
    expect(await isClosed(before)).toBe(true);
  });
});

it('is shut with a file that is no certificate, and says which', async () => {
  const authority = await makeAuthority();
  const { cert, key } = authority.sign('broker', `IP:${HOST}`);
  await writeFile(cert, 'nothing');
  const watch = watchCertificate({
    files: { certFile: cert, keyFile: key },
    now,
    onRenewed: () => undefined,
    tell: () => undefined,
  });
  onTestFinished(() => watch.stop());
  expect(watch.trouble()).toContain(
    'the file of MQTT_TLS_CERT_FILE is no PEM file: it begins with -----BEGIN',
  );
  // Anybody may read it in /readyz.
  expect(watch.trouble()).not.toContain(cert);
});
