/**
 * `node e2e/page-speed.mjs [url] [runs]`: what Lighthouse, which npx fetches, says of four pages of a running demo, signed in, on a phone
 * four times slower. Server, database, simulated devices and the rest of the browser run on the same cores: by the clock a task is as
 * long as it was kept from them too, which no phone is. So it also says what it is by the processor's time of each task. Its own index
 * of the processor stands beside each look: at 1,533 four times slower is the phone that is meant, at less the phone is slower than that.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { chromiumFlags, findChromium } from '../scripts/chromium.mjs';

const LIGHTHOUSE = 'lighthouse@12.8.2';
const [url = 'http://127.0.0.1:3000', runs = '5'] = process.argv.slice(2);
const account = { email: 'owner@headrace.test', password: 'headrace' };

async function call(path, { token = '', body } = {}) {
  const reply = await fetch(`${url}/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { Authorization: token, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
  return reply.json();
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const { token } = await call('/account/auth', { body: account });
const farms = await call('/farms-card', { token });
const farm = (name) => farms.find((one) => one.name === name)?._id;
const pages = {
  home: '/',
  'farm of tanks': `/tanks?farm=${farm('Rakaia Downs')}`,
  'full dashboard': `/dashboard?farm=${farm('Rakaia Downs')}`,
  'map of 300 sprinklers': `/group-status/FARM?farm=${farm('Waihao Flats')}`,
};

const profile = await mkdtemp(join(tmpdir(), 'headrace-page-speed-'));
const port = await freePort();
const executablePath = findChromium();
const browser = await chromium.launchPersistentContext(profile, {
  ...(executablePath && { executablePath }),
  args: [...chromiumFlags, `--remote-debugging-port=${port}`],
});
const page = await browser.newPage();
await page.goto(url);
await page.getByLabel('E-mail').fill(account.email);
await page.getByLabel('Password', { exact: true }).fill(account.password);
await page.getByRole('button', { name: 'Sign in' }).click();
await page.getByRole('heading', { name: 'Farms', level: 1 }).waitFor();
await page.close();

/** As a library: npx fetches it, and tells where it lies. */
async function fetchLighthouse() {
  const found = ['--yes', '--package', LIGHTHOUSE, '-c', 'command -v lighthouse'];
  const { stdout } = await promisify(execFile)('npx', found);
  const core = new URL('../core/', pathToFileURL(await realpath(stdout.trim())));
  const load = (path) => import(new URL(path, core).href);
  const [{ default: lighthouse }, { Runner }, { initializeConfig }] = await Promise.all(
    ['index.js', 'runner.js', 'config/config.js'].map(load),
  );
  return { lighthouse, Runner, initializeConfig };
}
const { lighthouse, Runner, initializeConfig } = await fetchLighthouse();

const flags = {
  port,
  disableStorageReset: true,
  logLevel: 'error',
  onlyCategories: ['performance', 'accessibility', 'best-practices'],
};

/** The same look as if nothing else had run: each task as long as the processor worked on it. */
async function byProcessorTime(artifacts) {
  const alone = structuredClone(artifacts);
  alone.Timing = [];
  for (const event of alone.Trace.traceEvents)
    if (event.ph === 'X' && event.tdur < event.dur) event.dur = event.tdur;
  const { resolvedConfig } = await initializeConfig('navigation', undefined, flags);
  return (await Runner.audit(alone, { resolvedConfig, computedCache: new Map() })).lhr;
}

const score = ({ categories }, name) => Math.round(categories[name].score * 100);

/** Now and then its trace misses how a page began: then it looks again. */
async function look(path, tries = 3) {
  const { lhr, artifacts } = await lighthouse(url + path, flags);
  if (lhr.runtimeError && tries > 1) return look(path, tries - 1);
  if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
  const alone = await byProcessorTime(artifacts);
  const ms = (audit) => Math.round(alone.audits[audit].numericValue);
  return {
    performance: score(alone, 'performance'),
    'by the clock': score(lhr, 'performance'),
    accessibility: score(lhr, 'accessibility'),
    'best practices': score(lhr, 'best-practices'),
    'blocked, ms': ms('total-blocking-time'),
    'largest paint, ms': ms('largest-contentful-paint'),
    shift: Number(lhr.audits['cumulative-layout-shift'].numericValue.toFixed(3)),
    'index of the processor': Math.round(lhr.environment.benchmarkIndex),
  };
}

try {
  for (const [name, path] of Object.entries(pages)) {
    const looks = [];
    for (let run = 0; run < Number(runs); run += 1) looks.push(await look(path));
    looks.sort((one, other) => one.performance - other.performance);
    const all = (what) => looks.map((one) => one[what]).join(', ');
    console.log(`${name}: ${all('performance')}; by the clock ${all('by the clock')}; the median:`);
    console.log(looks[Math.floor(looks.length / 2)]);
  }
} finally {
  await browser.close();
  await rm(profile, { recursive: true, force: true });
}
