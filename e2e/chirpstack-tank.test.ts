import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { connectAsync } from 'mqtt';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import { chirpstackTopic } from '@headrace/device/topics';
import { findProgram } from '../scripts/lib/debian.mjs';
import uplink from './fixtures/chirpstack-up.json' with { type: 'json' };
import { signInByApi } from './support/api.ts';
import { launchBrowser, openPage } from './support/browser.ts';
import { type Headrace, startHeadrace } from './support/headrace.ts';
import { signIn } from './support/sign-in.ts';

const run = promisify(execFile);
const mosquittoPub = findProgram('mosquitto_pub');
const topic = chirpstackTopic(uplink.deviceInfo.applicationId, uplink.deviceInfo.devEui);
/** The promise is a second; a busy build machine is given five before it fails. */
const PROMISED_MS = 1000;
const MOST_MS = 5000;

let headrace: Headrace;
let browser: Browser;
let page: Page;
let key: { userName: string; password: string };

/** A 3 m tank of 30,000 L with its sensor on the floor, added by its owner; the dashboard is open and shows no data yet. */
beforeAll(async () => {
  [headrace, browser] = await Promise.all([startHeadrace(), launchBrowser()]);
  const owner = await signInByApi(headrace.url);
  const [farm] = await owner.get('GET /farms-card');
  if (!farm) throw new Error('The demo has no farm');
  await owner.send('POST /sensor', {
    farmUID: farm._id,
    name: 'House tank',
    serialNumber: 'LW-2218',
    macAddress: uplink.deviceInfo.devEui,
    type: sensorTypes.LEVEL,
    settings: { offset: 0, height: 3000, toplevel: 3000, volume: 30_000 },
    mapping: [
      { path: 'water_depth.value', metric: 'levelMm' },
      { path: 'battery_voltage.value', metric: 'batteryV' },
    ],
  });
  key = await owner.send('POST /integration-key', { farmUID: farm._id, name: 'ChirpStack' });
  ({ page } = await openPage(browser, headrace.url));
  await signIn(page);
  await page.goto(`/dashboard?farm=${farm._id}`);
  await tank().filter({ hasText: 'No data' }).first().waitFor();
});

afterAll(async () => {
  await browser?.close();
  await headrace?.stop();
});

const tank = () => page.getByRole('article', { name: 'House tank' });

/** The fixture as the network server would send it now, with this water depth. */
const messageOf = (depthMm: number) =>
  JSON.stringify({
    ...uplink,
    time: new Date().toISOString(),
    object: { ...uplink.object, water_depth: { ...uplink.object.water_depth, value: depthMm } },
  });

async function secondsUntilShown(text: RegExp, publish: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await Promise.all([publish(), tank().filter({ hasText: text }).waitFor()]);
  const took = performance.now() - started;
  const verdict = took <= PROMISED_MS ? 'as promised' : `promised are ${PROMISED_MS} ms`;
  console.log(`From publish to the open page: ${Math.round(took)} ms, ${verdict}`);
  return took;
}

describe('a LoRaWAN tank through ChirpStack', () => {
  it('shows its level on the open page within a second of the uplink', async () => {
    const networkServer = await connectAsync(`mqtt://127.0.0.1:${headrace.mqttPort}`, {
      protocolVersion: 4,
      username: key.userName,
      password: key.password,
    });
    // 2,232 of 3,000 mm is 74.4 %, which is 22,320 of 30,000 L.
    const took = await secondsUntilShown(/22,320\s*L/, () =>
      networkServer.publishAsync(topic, messageOf(2232), { qos: 1 }),
    );
    expect(took).toBeLessThan(MOST_MS);
    await networkServer.endAsync();
  });

  it.skipIf(!mosquittoPub)('shows what mosquitto_pub sends with the same key', async () => {
    const { userName, password } = key;
    const address = ['-h', '127.0.0.1', '-p', String(headrace.mqttPort), '-V', 'mqttv311', '-q', '1'];
    const message = ['-u', userName, '-P', password, '-t', topic, '-m', messageOf(900)];
    // 900 of 3,000 mm is 30 %, which is 9,000 of 30,000 L.
    const took = await secondsUntilShown(/9,000\s*L/, () =>
      run(mosquittoPub ?? '', [...address, ...message]),
    );
    expect(took).toBeLessThan(MOST_MS);
  });

  it('refuses a network server with a wrong key', async () => {
    const attempt = connectAsync(`mqtt://127.0.0.1:${headrace.mqttPort}`, {
      protocolVersion: 4,
      username: key.userName,
      password: 'something else',
      reconnectPeriod: 0,
    });
    await expect(attempt).rejects.toThrow(/Not authorized|Bad username or password/i);
  });
});
