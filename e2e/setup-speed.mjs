/**
 * How long 300 sprinklers take to set up, in headless Chromium at 1440 px: `node e2e/setup-speed.mjs <url> <e-mail> <password>`.
 * It makes a farm of its own, and its serial numbers are in the register, so that MACs are found as they are for a box of new
 * units. Counted are actions (a field filled, a press, a tap, a paste) and the machine's seconds: a person's own typing and
 * walking come on top in each way. The first ways are measured on a part, whose units are alike.
 */
import { chromium } from 'playwright-core';
import { chromiumFlags, findChromium } from '../scripts/chromium.mjs';

const [url = 'http://127.0.0.1:3000', email = 'owner@headrace.test', password = 'headrace'] =
  process.argv.slice(2);
const MANY = 300;
/** The register answers 60 look-ups a minute. */
const FORMS = 25;
const TAPS = 60;
const run = Date.now().toString(36).toUpperCase();

async function call(token, method, path, body) {
  const reply = await fetch(`${url}/v1${path}`, {
    method,
    headers: { Authorization: token, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
  return reply.json();
}

const { token } = await call('', 'POST', '/account/auth', { email, password });
const serial = (way, n) => `${run}${way}${1000 + n}`;
const mac = (way, n) =>
  `001${way}${(Date.now() % 0xffff).toString(16).padStart(4, '0')}${n.toString(16).padStart(4, '0')}`.toUpperCase();

async function makeFarm(way) {
  const { farmUID } = await call(token, 'POST', '/farm', {
    name: `Setup ${run} ${way}`,
    address: { fullAddress: 'Methven' },
    lat: -43.63,
    lng: 171.65,
    boundary: [
      { lat: -43.62, lng: 171.64 },
      { lat: -43.62, lng: 171.66 },
      { lat: -43.64, lng: 171.66 },
      { lat: -43.64, lng: 171.64 },
    ],
  });
  const units = Array.from({ length: MANY }, (_none, n) => ({
    name: 'X',
    serialNumber: serial(way, n),
    macAddress: mac(way, n),
  }));
  const { ids } = await call(token, 'POST', '/ipc/bulk-add', { farmUID, units });
  await call(token, 'POST', '/ipc/bulk-delete', { farmUID, deviceIds: ids });
  return farmUID;
}

const executablePath = findChromium();
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: chromiumFlags });
const page = await (
  await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 }, serviceWorkers: 'block' })
).newPage();
await page.goto('/');
await page.getByLabel('E-mail').fill(email);
await page.getByLabel('Password', { exact: true }).fill(password);
await page.getByRole('button', { name: 'Sign in' }).click();
await page.getByRole('heading', { name: 'Farms', level: 1 }).waitFor();

const count = async (farmUID) =>
  (await call(token, 'GET', `/irrigation/devices?farmUID=${farmUID}`)).ipcs.length;
const told = (way, units, actions, ms) =>
  console.log(
    `${way}: ${units} units, ${actions} actions, ${(ms / 1000).toFixed(1)} s; for ${MANY}: ${Math.round((actions / units) * MANY)} actions, ${((ms / 1000 / units) * MANY).toFixed(0)} s`,
  );

async function holds(box, text) {
  while ((await box.inputValue()) !== text) await page.waitForTimeout(20);
}

async function byForm() {
  const farmUID = await makeFarm('A');
  await page.goto(`/irrigation-device/new/${farmUID}`);
  const name = page.getByRole('textbox', { name: 'Name' });
  const number = page.getByRole('textbox', { name: 'Serial number' });
  const map = page.getByRole('application').and(page.locator('[aria-busy=false]'));
  await map.waitFor();
  await page.waitForTimeout(1000);
  const started = performance.now();
  let actions = 1;
  await name.fill('A1');
  for (let n = 0; n < FORMS; n += 1) {
    await holds(name, `A${n + 1}`);
    if (n < 2) {
      await map.click({ position: { x: 250 + n * 8, y: 200 } });
      actions += 1;
    }
    await number.fill(serial('A', n));
    await page.keyboard.press('Control+Enter');
    actions += 2;
  }
  await holds(name, `A${FORMS + 1}`);
  const ms = performance.now() - started;
  if ((await count(farmUID)) !== FORMS) throw new Error('Not all were added');
  told('Form, save and add another', FORMS, actions, ms);
}

async function byMap() {
  const farmUID = await makeFarm('B');
  await page.goto(`/irrigation-device/map/${farmUID}`);
  const map = page.getByRole('application').and(page.locator('[aria-busy=false]'));
  await map.waitFor();
  await page.waitForTimeout(1000);
  const started = performance.now();
  let actions = 0;
  for (let n = 0; n < TAPS; n += 1) {
    await map.click({ position: { x: 100 + (n % 20) * 30, y: 150 + Math.floor(n / 20) * 30 } });
    // A double click would be the map's zoom.
    await page.getByText(`${n + 1} sprinkler${n === 0 ? '' : 's'} placed`).waitFor();
    await page
      .getByRole('textbox', { name: /^Serial number of/ })
      .first()
      .fill(serial('B', n));
    actions += 2;
  }
  const save = page.getByRole('button', { name: `Save ${TAPS} sprinklers`, disabled: false });
  await save.click();
  await page.getByRole('heading', { name: 'Sprinklers', exact: true }).waitFor();
  const ms = performance.now() - started;
  if ((await count(farmUID)) !== TAPS) throw new Error('Not all were added');
  told('Taps on the map, one save', TAPS, actions + 1, ms);
}

/** All at once, as a paste does: the browser's driver types long texts line by line. */
const put = (box, text) =>
  box.evaluate((element, pasted) => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value').set.call(element, pasted);
    element.dispatchEvent(new Event('input', { bubbles: true }));
  }, text);

async function byPaste(units) {
  const farmUID = await makeFarm(units === MANY ? 'C' : 'D');
  const way = units === MANY ? 'C' : 'E';
  const rows = Array.from({ length: units }, (_none, n) =>
    [n.toString(36), serial(way, n), way === 'C' ? '' : mac('E', n), -43.62 - n / 1e6, 171.65].join('\t'),
  );
  await page.goto(`/irrigation-device/paste/${farmUID}`);
  const box = page.getByRole('textbox', { name: 'Rows from a spreadsheet' });
  await box.waitFor();
  const started = performance.now();
  await put(box, [['Name', 'Serial', 'MAC', 'Lat', 'Long'].join('\t'), ...rows].join('\n'));
  await page
    .getByRole('button', { name: `Add ${units.toLocaleString('en-NZ')} sprinklers`, disabled: false })
    .click();
  await page.getByRole('heading', { name: 'Sprinklers', exact: true }).waitFor({ timeout: 120_000 });
  const ms = performance.now() - started;
  if ((await count(farmUID)) !== units) throw new Error('Not all were added');
  console.log(`Paste, one press: ${units} units, 2 actions, ${(ms / 1000).toFixed(1)} s`);
}

page.setDefaultTimeout(60_000);
for (const way of [byForm, byMap, () => byPaste(MANY), () => byPaste(5000)])
  await way().catch((error) => console.log(String(error).split('\n')[0]));
await browser.close();
