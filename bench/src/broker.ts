import { setTimeout as sleep } from 'node:timers/promises';
import { publishAll } from './ingest.ts';
import { type BenchMosquitto, hasMosquitto, startMosquitto } from './mosquitto.ts';
import { median, perSecond } from './numbers.ts';
import { record } from './report.ts';
import { type BenchServer, metricsOf, type Stand, startServer } from './stand.ts';
import { type BenchGateway, buildWorld, KEY } from './world.ts';

/**
 * A fleet of which each gateway says one thing at a time, as in the field. Few gateways with many messages each would
 * measure something else: how fast a few thousand series are written again and again.
 */
const GATEWAYS = 500;
const SENSORS = 50;
const COUNT = GATEWAYS * SENSORS;
const RUNS = 3;
const MINUTE = 60_000;

/**
 * Readings per second from publish to commit: through the embedded broker and through Mosquitto. The two take turns, so that
 * what else the machine does meets both of them.
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
  const rates = { embedded: [] as number[], outside: [] as number[] };
  try {
    // Makes the series.
    for (let round = 0; round < 3; round += 1) await embeddedRate(site);
    for (let run = 0; run < RUNS; run += 1) {
      rates.embedded.push(await embeddedRate(site));
      rates.outside.push(await outsideRate(site));
    }
  } finally {
    await mosquitto.stop();
  }
  report(median(rates.embedded), median(rates.outside));
}

function report(embedded: number, outside: number): void {
  record({ what: 'publish to commit, embedded broker', value: `${embedded} readings/s` });
  record({
    what: 'the same through Mosquitto',
    value: `${outside} readings/s`,
    ratio: (outside / embedded).toFixed(2),
    gate: { text: '0.5 of embedded', met: outside / embedded >= 0.5 },
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

/** The broker acknowledges before anything is stored: what counts is when the server has stored all. */
async function outsideRate(site: Site): Promise<number> {
  const server = await startServer({
    DATABASE_URL: site.stand.databaseUrl,
    MQTT_URL: site.mosquitto.serverUrl,
  });
  await sleep(2_000);
  // The embedded one knows its devices by now: so must this one.
  for (let round = 0; round < 2; round += 1) await publishAndWait(site, server);
  const ms = await publishAndWait(site, server);
  await server.stop();
  return perSecond(COUNT, ms);
}

/** From the first publish until all is stored, ms. */
async function publishAndWait(site: Site, server: BenchServer): Promise<number> {
  const wanted = (await storedBy(server)) + COUNT;
  const start = performance.now();
  const publishing = publishAll(nextOrder(site, site.mosquitto.devicePort)).then((ms) => ({
    starting: performance.now() - start - ms,
  }));
  while ((await storedBy(server)) < wanted) await sleep(50);
  const ms = performance.now() - start;
  return ms - (await publishing).starting;
}

function nextOrder(site: Site, port: number) {
  const from = site.next;
  site.next += MINUTE;
  return { port, gateways: site.gateways, from, rounds: 1 };
}

async function storedBy({ ready }: BenchServer): Promise<number> {
  const metrics = await metricsOf(ready.url);
  return Number(/headrace_ingest\{what="readings"\} (\d+)/.exec(metrics)?.[1] ?? 0);
}
