import pg from 'pg';
import { sensorTypes } from '@headrace/contract/sensor-types';
import { ensurePartitions, inTransaction } from '@headrace/server/dist/db/partitions.js';
import { writeReadings } from '@headrace/server/dist/features/readings/reading-writer.js';
import { createSeriesDirectory } from '@headrace/server/dist/features/readings/series-directory.js';
import type { BenchGateway } from './world.ts';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const DAYS = 365;
const STEP_MINUTES = 15;
/** Reports that are stored in one transaction: a device's month. */
const BATCH = 3000;
const zone = { timeZoneId: 'Pacific/Auckland', rawOffset: 43_200, dstOffset: 3600, dstEnabled: true };

/** Devices of one kind: of a report that says nothing there is none. */
export interface Kind {
  name: string;
  letter: string;
  count: number;
  type: number;
  settings: object;
  /** What the `nth` report of device `unit` says. */
  values: (nth: number, unit: number) => Record<string, number>;
}

const day = (nth: number) => (nth * STEP_MINUTES * MINUTE) / DAY;
const wave = (nth: number, days: number) => Math.sin((2 * Math.PI * day(nth)) / days);
/** Water runs from six to ten in the morning and the evening, as counted up to this report. */
const counted = (nth: number) => Math.floor(nth / 96) * 32 + Math.min(32, Math.floor((nth % 96) / 3));

const charted: readonly Kind[] = [
  {
    name: 'Tank',
    letter: 'a',
    count: 4,
    type: sensorTypes.TLM_V3,
    settings: {
      offset: 200,
      height: 3000,
      toplevel: 2500,
      volume: 30_000,
      enabledFlow: true,
      litrePerPulse: 10,
    },
    values: (nth, unit) => ({
      levelMm: Math.round(1400 + 600 * wave(nth + unit * 40, 6) + 200 * wave(nth, 1)),
      batteryV: Math.round(390 + 15 * wave(nth, 1) + 5 * wave(nth, 90)) / 100,
      charging: wave(nth, 1) > 0.2 ? 1 : 0,
      pulsesTotal: counted(nth) * (3 + unit),
    }),
  },
  {
    name: 'Soil',
    letter: 'b',
    count: 3,
    type: sensorTypes.SOIL_MOISTURE,
    settings: { swp1_name: '20 cm', swp2_name: '40 cm' },
    values: (nth, unit) => ({
      swp1Kpa: Math.round(450 + 350 * wave(nth + unit * 90, 9)) / 10,
      swp2Kpa: Math.round(300 + 200 * wave(nth + unit * 90, 13)) / 10,
      temperatureC: Math.round(140 + 60 * wave(nth, 365) + 40 * wave(nth, 1)) / 10,
      rainTipsTotal: Math.floor(nth / 900) * 40 + Math.min(40, nth % 900),
    }),
  },
  {
    name: 'Meter',
    letter: 'c',
    count: 3,
    type: sensorTypes.FLOW,
    settings: {},
    values: (nth, unit) => ({
      flowLpm: Math.round(Math.max(0, 900 * wave(nth + unit * 10, 1) + 200 * wave(nth, 30))),
    }),
  },
];

export interface Filled {
  reports: number;
  readings: number;
}

/** Devices with a year of reports each, a quarter of an hour apart up to now, stored by the writer of ingest with hours and days. */
export async function fillYear(
  databaseUrl: string,
  farm: BenchGateway,
  kinds: readonly Kind[] = charted,
): Promise<Filled> {
  // The writer's statements are prepared by name: a pool of its own keeps them apart from the bench's.
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 });
  try {
    const filled = { reports: 0, readings: 0 };
    for (const kind of kinds) {
      for (let unit = 0; unit < kind.count; unit += 1) {
        const written = await fillDevice(pool, farm, kind, unit);
        filled.reports += written.reports;
        filled.readings += written.readings;
      }
    }
    await pool.query('vacuum analyze');
    return filled;
  } finally {
    await pool.end();
  }
}

async function fillDevice(pool: pg.Pool, farm: BenchGateway, kind: Kind, unit: number): Promise<Filled> {
  const device = await addDevice(pool, farm, kind, unit);
  const directory = createSeriesDirectory(pool);
  const count = (DAYS * DAY) / (STEP_MINUTES * MINUTE);
  const start = Math.floor(Date.now() / MINUTE) * MINUTE - (count - 1) * STEP_MINUTES * MINUTE;
  let readings = 0;
  for (let first = 0; first < count; first += BATCH) {
    const nths = Array.from({ length: Math.min(BATCH, count - first) }, (_, index) => first + index);
    const batch = nths.flatMap((nth) =>
      Object.entries(kind.values(nth, unit)).map(([metric, value]) => ({
        device,
        metric,
        at: start + nth * STEP_MINUTES * MINUTE,
        value,
      })),
    );
    const assigned = await directory.assign(batch);
    await ensurePartitions(
      pool,
      batch.map(({ at }) => at),
    );
    readings += (await inTransaction(pool, (client) => writeReadings(client, assigned))).inserted;
  }
  return { reports: count, readings };
}

async function addDevice(pool: pg.Pool, farm: BenchGateway, kind: Kind, unit: number) {
  const id = `${farm.farmId.toString(16)}${kind.letter}${unit}`;
  const uid = id.padStart(24, 'f');
  const mac = id.toUpperCase().padStart(16, 'F');
  const serialNumber = `Y-${id}`;
  const { rows } = await pool.query<{ id: number }>(
    `insert into device (farm_id, uid, kind, type, name, serial_number, mac, settings)
     values ($1, $2, 'sensor', $3, $4, $5, $6, $7) returning id`,
    [
      farm.farmId,
      uid,
      kind.type,
      `${kind.name} ${unit + 1}`,
      serialNumber,
      mac,
      JSON.stringify(kind.settings),
    ],
  );
  return {
    farmId: farm.farmId,
    farmUid: farm.farmUid,
    zone,
    id: rows[0]?.id ?? 0,
    uid,
    mac,
    kind: 'sensor' as const,
    type: kind.type,
    serialNumber,
    mapping: null,
    codec: null,
  };
}
