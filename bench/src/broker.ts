import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { publishAll } from './ingest.ts';
import { type BenchMosquitto, hasMosquitto, startMosquitto } from './mosquitto.ts';
import { median, perSecond } from './numbers.ts';
import { record } from './report.ts';
import { type BenchServer, type Stand, startServer } from './stand.ts';
import { type BenchGateway, buildWorld, KEY } from './world.ts';

/**
 * A fleet of which each gateway says one thing at a time, as in the field. Few gateways with many messages each would
 * measure something else: two servers overtake one another, and what comes late costs three times as much.
 */
const GATEWAYS = 500;
const SENSORS = 50;
const COUNT = GATEWAYS * SENSORS;
const RUNS = 3;
const MINUTE = 60_000;
/** Two servers, the database, the broker and the devices want a core each before a second server can show what it adds. */
const CORES_FOR_TWO = 6;

/**
 * Readings per second from publish to commit: through the embedded broker, through Mosquitto with one server, and with two
 * that share. The three take turns, so that what else the machine does meets all of them.
 */
export async function benchBroker(stand: Stand): Promise<void> {
  if (!hasMosquitto) {
    record({ what: 'outside broker', value: 'not measured: no mosquitto' });
    return;
  }
  const gateways = await buildWorld(stand.sql, {
    farms: GATEWAYS,
    sensors: SENSORS,
    from: 5_000_000,
    ownerEmail: 'broker@bench.test',
    passwordHash: 'none',
  });
  const mosquitto = await startMosquitto(Object.fromEntries(gateways.map(({ mac }) => [mac, KEY])));
  const site: Site = { stand, mosquitto, gateways, next: Date.now() - 60 * MINUTE };
  const rates = { embedded: [] as number[], one: [] as number[], two: [] as number[] };
  try {
    // Makes the series.
    for (let round = 0; round < 3; round += 1) await embeddedRate(site);
    for (let run = 0; run < RUNS; run += 1) {
      rates.embedded.push(await embeddedRate(site));
      rates.one.push(await outsideRate(site, ['a']));
      rates.two.push(await outsideRate(site, ['a', 'b']));
    }
  } finally {
    await mosquitto.stop();
  }
  report(median(rates.embedded), median(rates.one), median(rates.two));
}

function report(embedded: number, one: number, two: number): void {
  record({ what: 'publish to commit, embedded broker', value: `${embedded} readings/s` });
  record({
    what: 'the same through Mosquitto, one server',
    value: `${one} readings/s`,
    ratio: (one / embedded).toFixed(2),
    gate: { text: '0.5 of embedded', met: one / embedded >= 0.5 },
  });
  const cores = cpus().length;
  record({
    what: `the same through Mosquitto, two servers${cores < CORES_FOR_TWO ? ` on ${cores} cores for everything` : ''}`,
    value: `${two} readings/s`,
    ratio: (two / one).toFixed(2),
    ...(cores >= CORES_FOR_TWO && { gate: { text: '1.3 of one', met: two / one >= 1.3 } }),
  });
}

interface Site {
  stand: Stand;
  mosquitto: BenchMosquitto;
  gateways: BenchGateway[];
  /** Time of the next round, epoch ms. */
  next: number;
}

/** Its acknowledgement comes after the commit. */
async function embeddedRate(site: Site): Promise<number> {
  return perSecond(COUNT, await publishAll(nextOrder(site, site.stand.mqttPort)));
}

/** The broker acknowledges before anything is stored: what counts is when the servers have stored all. */
async function outsideRate(site: Site, names: readonly string[]): Promise<number> {
  const servers: BenchServer[] = [];
  for (const name of names)
    servers.push(
      await startServer({
        DATABASE_URL: site.stand.databaseUrl,
        MQTT_URL: site.mosquitto.serverUrl,
        SERVER_NAME: name,
      }),
    );
  await sleep(2_000);
  // The embedded one knows its devices by now: so must these, each of them all.
  for (let round = 0; round < 2 * names.length; round += 1) await publishAndWait(site, servers);
  const ms = await publishAndWait(site, servers);
  for (const server of servers) await server.stop();
  return perSecond(COUNT, ms);
}

/** From the first publish until all is stored, ms. */
async function publishAndWait(site: Site, servers: readonly BenchServer[]): Promise<number> {
  const wanted = (await storedBy(servers)) + COUNT;
  const start = performance.now();
  const publishing = publishAll(nextOrder(site, site.mosquitto.devicePort)).then((ms) => ({
    starting: performance.now() - start - ms,
  }));
  while ((await storedBy(servers)) < wanted) await sleep(50);
  const ms = performance.now() - start;
  return ms - (await publishing).starting;
}

function nextOrder(site: Site, port: number) {
  const from = site.next;
  site.next += MINUTE;
  return { port, gateways: site.gateways, from, rounds: 1 };
}

async function storedBy(servers: readonly BenchServer[]): Promise<number> {
  const counts = await Promise.all(
    servers.map(async ({ ready }) => {
      const metrics = await (await fetch(`${ready.url}/metrics`)).text();
      return Number(/headrace_ingest\{what="readings"\} (\d+)/.exec(metrics)?.[1] ?? 0);
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
