import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

describe('the settings', () => {
  it('have safe defaults: this machine only, own database and broker', () => {
    expect(readConfig({}, [], '/srv/headrace')).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      mqttPort: 1883,
      mqttHost: '127.0.0.1',
      dataDir: '/srv/headrace/data',
      databaseUrl: null,
      mqttUrl: null,
      demo: false,
      onNetwork: false,
      rawRetentionDays: 730,
      alertRetentionDays: 730,
      databaseMaxBytes: 0,
    });
    expect(readConfig({ DATABASE_MAX_MB: '2' }, [], '/srv/headrace').databaseMaxBytes).toBe(2_097_152);
  });

  it.each([
    ['https://tiles.test/{z}/{x}/{y}.png', true],
    ['https://{s}.tiles.test/{z}/{y}/{x}{r}.webp?api=key', true],
    ['https://tiles.test/wmts/WebMercatorQuad/{TileMatrix}/{TileRow}/{TileCol}.jpeg', true],
    ['https://tiles.test/{z}/{x}.png', false],
    ['https://tiles.test/{z}/{x}/{y}.png?api={token}', false],
    ['ftp://tiles.test/{z}/{x}/{y}.png', false],
  ])('take %s as tiles: %s', (url, isTaken) => {
    const read = () => readConfig({ TILE_URL: url }, [], '/srv/headrace').imagery.tileUrl;
    if (isTaken) expect(read()).toBe(url);
    else expect(read).toThrow(/TILE_URL can't be read/);
  });

  it.each([
    ['linz', 'https://basemaps.linz.govt.nz/v1/tiles/aerial/WebMercatorQuad/{z}/{x}/{y}.webp?api=k%2F1', 22],
    [
      'Esri',
      'https://ibasemaps-api.arcgis.com/arcgis/rest/services/World_Imagery/MapServer/tile/{z}/{y}/{x}?token=k%2F1',
      18,
    ],
    ['osm', 'https://tile.openstreetmap.org/{z}/{x}/{y}.png', 19],
    ['none', '', 19],
  ])('know the imagery of %s by its name', (MAP_IMAGERY, tileUrl, tileMaxZoom) => {
    const { imagery } = readConfig({ MAP_IMAGERY, MAP_IMAGERY_KEY: 'k/1' }, [], '/');
    expect(imagery).toMatchObject({ tileUrl, tileMaxZoom });
    expect(imagery.tileAttribution === '').toBe(MAP_IMAGERY === 'none');
  });

  it.each([
    [{ MAP_IMAGERY: 'linz' }, 'MAP_IMAGERY=linz needs a key: give MAP_IMAGERY_KEY.'],
    [{ MAP_IMAGERY: 'google' }, 'MAP_IMAGERY is "google": give linz, esri, osm or none'],
    [{ MAP_IMAGERY: 'constructor' }, 'MAP_IMAGERY is "constructor"'],
    [
      { MAP_IMAGERY: 'osm', TILE_URL: 'https://tiles.test/{z}/{x}/{y}.png' },
      'MAP_IMAGERY and TILE_URL are both set: give one of them.',
    ],
    [{ TILE_URL: 'https://tiles.test/{z}/{x}/{y}.png', TILE_MAX_ZOOM: '40' }, 'TILE_MAX_ZOOM is "40"'],
  ])('refuse imagery of %j, with the remedy', (env, sentence) => {
    expect(() => readConfig(env, [], '/')).toThrow(sentence);
  });

  it.each([
    [undefined, 0],
    ['false', 0],
    ['true', 1],
    ['2', 2],
    ['203.0.113.7, 2001:db8::/32', ['203.0.113.7', '2001:db8::/32']],
  ])('take TRUST_PROXY %s as %j', (TRUST_PROXY, proxies) => {
    expect(readConfig({ TRUST_PROXY }, [], '/').trustedProxies).toEqual(proxies);
  });

  it('name every fault at once, with the remedy', () => {
    const read = () =>
      readConfig(
        { PORT: 'eighty', DATABASE_URL: 'mysql://x', TRUST_PROXY: 'maybe', OPERATOR_TOKEN: 'short' },
        [],
        '/',
      );
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(
      /PORT is "eighty": give a whole number[\s\S]*DATABASE_URL[\s\S]*TRUST_PROXY[\s\S]*OPERATOR_TOKEN/,
    );
  });

  it('take a geocoder with a place for the text, and its token', () => {
    const url = 'https://api.example.com/places/{text}.json?access_token={token}';
    const geocoder = (env: NodeJS.ProcessEnv) => readConfig(env, [], '/').geocoder;
    expect(geocoder({})).toBeNull();
    expect(geocoder({ GEOCODER_URL: url, GEOCODER_TOKEN: 'abc' })).toEqual({
      url,
      token: 'abc',
      attribution: 'api.example.com',
    });
    expect(() => geocoder({ GEOCODER_URL: url })).toThrow('give GEOCODER_TOKEN too');
    for (const wrong of ['https://api.example.com/places', 'ftp://x.example.com/{text}', 'https://{text}/'])
      expect(() => geocoder({ GEOCODER_URL: wrong })).toThrow("GEOCODER_URL can't be read");
  });

  it.each([
    [{ HOST: '127.0.0.1' }, false],
    [{ HOST: 'localhost' }, false],
    [{ HOST: '::1' }, false],
    [{ HOST: '0.0.0.0' }, true],
    [{ HOST: '192.168.1.20' }, true],
    [{ HOST: '127.example.com' }, true],
    // Through a proxy on this machine.
    [{ TRUST_PROXY: 'true' }, true],
    [{ TRUST_PROXY: 'false' }, false],
    [{ PUBLIC_URL: 'https://water.example.com' }, true],
    [{ PUBLIC_URL: 'http://127.0.0.1:3000' }, false],
    [{ PUBLIC_URL: 'http://[::1]:3000' }, false],
  ])('know whether others can reach the server with %j', (env, onNetwork) => {
    expect(readConfig(env, [], '/').onNetwork).toBe(onNetwork);
  });

  it('read certificates for the broker, and say which file is no such thing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'headrace-config-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
    await writeFile(join(folder, 'ca.pem'), pem);
    await writeFile(join(folder, 'notes.txt'), 'no certificate');
    expect(readConfig({ MQTT_CA_FILE: 'ca.pem' }, [], folder).mqttTls).toEqual({ ca: pem });
    const read = () => readConfig({ MQTT_CA_FILE: 'notes.txt', MQTT_CERT_FILE: 'nothing.pem' }, [], folder);
    expect(read).toThrow(/MQTT_CA_FILE names notes.txt, which is no PEM file/);
    expect(read).toThrow(/MQTT_CERT_FILE names nothing.pem, which can't be read/);
    expect(read).toThrow(/MQTT_CERT_FILE and MQTT_KEY_FILE belong together/);
  });

  it('open a door by TLS only with a certificate and its key, and not beside an outside broker', () => {
    const read = (env: Record<string, string>) => () => readConfig(env, [], '/');
    expect(readConfig({}, [], '/').mqttTlsListener).toBeNull();
    expect(read({ MQTT_TLS_CERT_FILE: 'a.pem' })).toThrow(
      'MQTT_TLS_CERT_FILE and MQTT_TLS_KEY_FILE belong together',
    );
    const files = { MQTT_TLS_CERT_FILE: 'nothing.pem', MQTT_TLS_KEY_FILE: 'nothing.key' };
    // The server says what is wrong with them: the command line and backups have no need of them.
    expect(read(files)).not.toThrow();
    expect(read({ ...files, MQTT_URL: 'mqtt://broker' })).toThrow(
      'with MQTT_URL the outside broker has its own',
    );
  });

  it.each([
    'mqtt:water.example.com',
    'mqtt://',
    'https://water.example.com',
    'mqtt://us:50%off@water.example.com',
  ])(
    'refuse %s as the address of a broker, whoever is to reach it there, and repeat nothing of it',
    (address) => {
      const says = (name: string) =>
        `${name} can't be read: give an address like mqtt://host:1883 or mqtts://host:8883`;
      for (const name of ['MQTT_URL', 'MQTT_PUBLIC_URL']) {
        const read = () => readConfig({ [name]: address }, [], '/');
        expect(read).toThrow(says(name));
        expect(read).not.toThrow('water.example.com');
      }
    },
  );

  it.each(['two words', 'a/b', '#', 'x'.repeat(41)])('refuse %j as the name of a server', (name) => {
    expect(() => readConfig({ SERVER_NAME: name }, [], '/')).toThrow(/SERVER_NAME/);
  });

  it('take a database by its socket, and say how where an address of one has no place for the user', () => {
    const read = (DATABASE_URL: string) => readConfig({ DATABASE_URL }, [], '/').databaseUrl;
    const url = 'postgres:///headrace?host=/var/run/postgresql&user=headrace';
    expect(read(url)).toBe(url);
    expect(() => read('postgres://headrace:secret@/headrace?host=/var/run/postgresql')).toThrow(
      /DATABASE_URL can't be read: .*by a socket postgres:\/\/\/name\?host=/,
    );
  });

  it('never repeat a database password in a fault', () => {
    const read = () => readConfig({ DATABASE_URL: 'mysql://me:hunter2@db/x' }, [], '/');
    expect(read).toThrow(ConfigError);
    expect(read).not.toThrow(/hunter2/);
  });
});
