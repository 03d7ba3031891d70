/**
 * The browser's half of `npm run bench -- year`: `node e2e/year-speed.mjs <url> <farmUID> <e-mail> <password>`. How long a chart
 * takes from the click on Month or Year to its picture, in headless Chromium without a GPU at 1440 px. Tells its parent the
 * times, ms, or prints them.
 *
 * A time runs from the click's own time stamp to the end of the first frame after the last stroke on a canvas of the page,
 * where "last" is what nothing follows while no request is under way for QUIET_MS. So it holds the request, the answer, what
 * React does and the painting, as often as each of them happens. `first` asks the server, on a page opened anew each time;
 * `again` finds the days in the browser's memory, as somebody who goes to and fro does.
 */
import chromiumFromNpm from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import { chromiumFlags, findChromium } from '../scripts/chromium.mjs';

const VISITS = 5;
const QUIET_MS = 500;
const LONGEST_MS = 30_000;
const PERIODS = ['Month', 'Year'];
const SIZE = { width: 1440, height: 900 };
const [url, farmUID, email, password] = process.argv.slice(2);

const tab = (name, path) => ({
  name: `tank, ${name}`,
  path: (tank) => `/dashboard?farm=${farmUID}&tank=${tank}&tab=${path}`,
  place: (page) => page.getByRole('dialog'),
});
const card = (name, id) => ({
  name,
  path: () => `/dashboard?farm=${farmUID}`,
  place: (page) => page.locator(`#card-${id}`),
  // The days of a card are kept with the person: each visit begins with others than those that are measured.
  isKept: true,
});
const charts = [
  tab('Level', 'level'),
  tab('Usage', 'usage'),
  tab('Battery', 'battery'),
  tab('Flow', 'flow'),
  card('soil moisture card', 'soilmoisture'),
  card('flow card', 'flow'),
];

/** In the page: remembers the click, and when what was painted after it was on the screen. */
function watch() {
  const seen = { clickedAt: 0, strokes: 0, shownAt: 0, isFramed: true };
  globalThis.seen = seen;
  const clicked = ({ timeStamp }) => {
    // A label's click is followed by one of its control.
    if (seen.clickedAt === 0) seen.clickedAt = timeStamp;
  };
  addEventListener('click', clicked, true);
  const framed = () => {
    seen.isFramed = true;
    seen.shownAt = performance.now();
  };
  for (const name of ['stroke', 'fill', 'clearRect']) {
    const paint = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function (...rest) {
      // Canvases that only measure text aren't on the page.
      if (this.canvas.isConnected) {
        seen.strokes += 1;
        // A task after the frame's callbacks: the frame is made.
        if (seen.isFramed) requestAnimationFrame(() => setTimeout(framed));
        seen.isFramed = false;
      }
      return Reflect.apply(paint, this, rest);
    };
  }
}

/** Resolves when something was painted since `reset` and nothing more comes. */
async function settled(page, underWay) {
  const start = performance.now();
  let [strokes, since] = [0, start];
  while (strokes === 0 || performance.now() - since < QUIET_MS) {
    await page.waitForTimeout(50);
    const now = await page.evaluate(() => globalThis.seen);
    if (underWay.size > 0 || now.strokes !== strokes || !now.isFramed) since = performance.now();
    strokes = now.strokes;
    if (since - start > LONGEST_MS || (strokes === 0 && performance.now() - start > LONGEST_MS))
      throw new Error(`No chart came to rest within ${LONGEST_MS / 1000} s at ${page.url()}`);
  }
}

const reset = (page) =>
  page.evaluate(() => Object.assign(globalThis.seen, { clickedAt: 0, strokes: 0, shownAt: 0 }));

async function press(page, underWay, place, period) {
  await reset(page);
  await place.getByRole('radiogroup', { name: 'Time period' }).getByText(period, { exact: true }).click();
  await settled(page, underWay);
  if ((await place.locator('figure canvas').count()) === 0)
    throw new Error(`No chart for ${period} at ${page.url()}`);
  const { clickedAt, shownAt } = await page.evaluate(() => globalThis.seen);
  return shownAt - clickedAt;
}

/** One fresh page: both periods from the server, then both again. */
async function visit(context, chart, tank, times) {
  const page = await context.newPage();
  const underWay = new Set();
  const isCall = (request) => request.url().startsWith(`${url}/v1/`) && request.resourceType() === 'fetch';
  page.on('request', (request) => isCall(request) && underWay.add(request));
  for (const end of ['requestfinished', 'requestfailed']) page.on(end, (request) => underWay.delete(request));
  await page.goto(`${url}${chart.path(tank)}`);
  const place = chart.place(page);
  await place.locator('figure').scrollIntoViewIfNeeded();
  await settled(page, underWay);
  for (const kind of ['first', 'again'])
    for (const period of PERIODS) times[period][kind].push(await press(page, underWay, place, period));
  if (chart.isKept) {
    const kept = page.waitForResponse(
      (response) => response.request().method() === 'PUT' && response.url().endsWith('/settings'),
    );
    await press(page, underWay, place, 'Day');
    await kept;
  }
  await page.close();
}

async function signIn(context) {
  const page = await context.newPage();
  await page.goto(url);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  const tanks = page.waitForResponse((response) => response.url().includes('/lvl/suminfo'));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Farms', level: 1 }).waitFor();
  await page.goto(`${url}/dashboard?farm=${farmUID}`);
  const [tank] = (await (await tanks).json()).tanks;
  await page.close();
  return tank._id;
}

async function measure() {
  const browser = await chromium.launch({
    executablePath: findChromium() ?? (await chromiumFromNpm.executablePath()),
    args: chromiumFlags,
  });
  try {
    const context = await browser.newContext({
      viewport: SIZE,
      locale: 'en-NZ',
      timezoneId: 'Pacific/Auckland',
      serviceWorkers: 'block',
    });
    await context.addInitScript(watch);
    const tank = await signIn(context);
    const figures = [];
    for (const chart of charts) {
      const times = Object.fromEntries(PERIODS.map((period) => [period, { first: [], again: [] }]));
      for (let nth = 0; nth < VISITS; nth += 1) await visit(context, chart, tank, times);
      for (const period of PERIODS) figures.push({ chart: chart.name, period, ...times[period] });
    }
    return figures;
  } finally {
    await browser.close();
  }
}

const figures = await measure();
if (process.send) process.send(figures);
else console.log(figures);
