/**
 * `node e2e/map-speed.mjs [--units 5000] [--width 1280] [--height 800] [--dist apps/web/dist]`: how fast the built web app draws, moves
 * and recolours a group map, in headless Chromium without a GPU. The API is answered here, so only the browser is measured.
 * Frames are counted by requestAnimationFrame while real mouse events move the map.
 */
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { chromiumFlags, findChromium } from '../scripts/chromium.mjs';
import { answers, changeFarm, createFarm, FARM, owner } from './map-speed/farm.mjs';

const { values } = parseArgs({
  options: {
    units: { type: 'string', default: '5000' },
    width: { type: 'string', default: '1280' },
    height: { type: 'string', default: '800' },
    dist: { type: 'string', default: 'apps/web/dist' },
  },
});
const types = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
  '.json': 'application/json',
};
let farm = createFarm(Number(values.units), Date.now());

const server = createServer((request, response) => void serve(request, response));
async function serve(request, response) {
  const { pathname } = new URL(request.url, 'http://localhost');
  if (pathname.startsWith('/v1')) return answer(request.method, pathname.slice(3), response);
  const file = extname(pathname) ? pathname : '/index.html';
  try {
    const body = await readFile(join(resolve(values.dist), file));
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(body);
  } catch {
    response.writeHead(404).end();
  }
}

function answer(method, path, response) {
  const reply = answers(() => farm)[`${method} ${path}`];
  response.writeHead(reply ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(reply ? reply() : { errorMessage: 'Not measured here' }));
}

/** In the page: remembers when pictures were last drawn, and stands in for the live connection. */
function watch([session, scheme]) {
  localStorage.setItem('headrace.session', session);
  localStorage.setItem('mantine-color-scheme-value', scheme);
  const draw = CanvasRenderingContext2D.prototype.drawImage;
  globalThis.drawn = { count: 0, at: 0 };
  CanvasRenderingContext2D.prototype.drawImage = function (...rest) {
    globalThis.drawn.count += 1;
    globalThis.drawn.at = performance.now();
    return Reflect.apply(draw, this, rest);
  };
  globalThis.WebSocket = class extends EventTarget {
    static OPEN = 1;
    readyState = 1;
    constructor() {
      super();
      globalThis.live = this;
      setTimeout(() => this.dispatchEvent(new Event('open')));
    }
    send() {}
    close() {}
  };
}

/** Frames a second and the longest wait for a frame, ms, while `act` goes on. */
async function frames(page, act) {
  await page.evaluate(() => {
    globalThis.ticks = [];
    globalThis.isCounting = true;
    const tick = (at) => {
      globalThis.ticks.push(at);
      if (globalThis.isCounting) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  await act();
  const ticks = await page.evaluate(() => {
    globalThis.isCounting = false;
    return globalThis.ticks;
  });
  const gaps = ticks.slice(1).map((at, n) => at - ticks[n]);
  return { fps: (gaps.length * 1000) / (ticks.at(-1) - ticks[0]), longest: Math.max(...gaps) };
}

async function pan(page, { x, y }) {
  for (let turn = 0; turn < 6; turn++) {
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let step = 1; step <= 24; step++)
      await page.mouse.move(x + step * 12 * (turn % 2 ? -1 : 1), y + step * 4);
    await page.mouse.up();
    await page.waitForTimeout(150);
  }
}

async function zoom(page, { x, y }) {
  await page.mouse.move(x, y);
  for (const steps of [-3, 3, -3, 3]) {
    for (let n = 0; n < Math.abs(steps); n++) {
      await page.mouse.wheel(0, -Math.sign(steps) * 90);
      await page.waitForTimeout(180);
    }
    await page.waitForTimeout(250);
  }
}

/** From the answer's arrival to the last picture drawn, ms. */
async function recolour(page, nth) {
  farm = changeFarm(farm, nth, Date.now());
  const before = await page.evaluate(() => globalThis.drawn.count);
  const answered = page.waitForResponse((response) => response.url().includes('/group/units'));
  await page.evaluate((farmUID) => {
    const data = {
      // News of gateways makes the page ask for the whole group.
      type: 'gateway',
      farmUID,
      uid: farmUID,
      serialNumber: '',
      updatedAt: new Date().toISOString(),
    };
    const frame = JSON.stringify({ type: 'status_update', data });
    globalThis.live.dispatchEvent(new MessageEvent('message', { data: frame }));
  }, FARM);
  await answered;
  await page.waitForFunction((count) => globalThis.drawn.count > count, before);
  await page.waitForTimeout(1500);
  const time = await page.evaluate(() => {
    const { responseEnd } = performance
      .getEntriesByType('resource')
      .findLast(({ name }) => name.includes('/group/units'));
    return globalThis.drawn.at - responseEnd;
  });
  await page.waitForTimeout(4000);
  return time;
}

async function measure() {
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const browser = await chromium.launch({
    executablePath: findChromium() ?? undefined,
    args: chromiumFlags,
  });
  const size = { width: Number(values.width), height: Number(values.height) };
  const page = await browser.newPage({ viewport: size, serviceWorkers: 'block' });
  await page.addInitScript(watch, [JSON.stringify(owner), 'light']);
  await page.goto(`http://127.0.0.1:${server.address().port}/group-status/FARM`);
  await page.waitForFunction(() => globalThis.drawn?.count > 0);
  await page.waitForTimeout(2500);
  const first = await page.evaluate(() => {
    const entry = performance.getEntriesByType('resource').find(({ name }) => name.includes('/group/units'));
    return { fromStart: globalThis.drawn.at, fromData: globalThis.drawn.at - entry.responseEnd };
  });
  const box = await page.locator('.leaflet-container').boundingBox();
  const middle = { x: box.x + box.width / 2 - 100, y: box.y + box.height / 2 - 40 };
  const say = (what, { fps, longest }) =>
    console.log(`${what}: ${fps.toFixed(1)} frames/s, longest ${longest.toFixed(0)} ms`);
  console.log(`${values.units} sprinklers, ${values.width} x ${values.height}`);
  console.log(
    `first drawn ${first.fromStart.toFixed(0)} ms after the page was asked for, ${first.fromData.toFixed(0)} ms after its data`,
  );
  say('pan, whole farm', await frames(page, () => pan(page, middle)));
  for (let n = 0; n < 3; n++) {
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.waitForTimeout(500);
  }
  say('pan, with labels', await frames(page, () => pan(page, middle)));
  say('zoom by wheel, with and without labels', await frames(page, () => zoom(page, middle)));
  await page.getByRole('button', { name: 'Show the whole farm' }).click();
  await page.waitForTimeout(1500);
  for (const [what, nth] of [
    ['1 unit', Number(values.units)],
    ['one in ten', 10],
    ['all', 1],
  ])
    console.log(
      `recolour ${what}: ${(await recolour(page, nth)).toFixed(0)} ms from the answer to the picture`,
    );
  await browser.close();
  server.close();
}

await measure();
