import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { sql } from 'kysely';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { Db } from '../../../db/client.ts';
import type { Command, OperatorContext } from '../command.ts';
import { PartlyDone, UsageError } from '../usage-error.ts';
import { parseSeedFile, SEED_FILE_LIMITS } from './seed-file.ts';
import { type SeedServer, sendSamples, type Sent } from './send-samples.ts';

export const seedCommands: Record<string, Command> = {
  'seed-soil': {
    usage: "seed-soil <sensor's serial number or id> <CSV file> [the server's address]",
    does: 'Adds soil moisture samples through a server that runs: columns date, time, temperature, rainfall, swp1, swp2',
    async run(context, [sensor, file, address]) {
      if (!sensor || !file) throw new UsageError('Give the sensor and the file.');
      const samples = parseSeedFile(await readSmall(resolve(context.folder ?? '', file)));
      const server = serverOf(context, address);
      const uid = await siteOf(context.db, sensor);
      return tell(sensor, await sendSamples(server, uid, samples));
    },
  },
};

async function readSmall(path: string): Promise<string> {
  const { size } = await stat(path).catch(() => {
    throw new UsageError(`${path} can't be read: give the path of a CSV file.`);
  });
  if (size > SEED_FILE_LIMITS.bytes)
    throw new UsageError(`${path} has more than ${SEED_FILE_LIMITS.bytes / 1024 / 1024} MB: split it.`);
  return readFile(path, 'utf8').catch(() => {
    throw new UsageError(`${path} can't be read: give the path of a CSV file that you may read.`);
  });
}

function serverOf({ server }: OperatorContext, given: string | undefined): SeedServer {
  const address = given ?? server?.address;
  if (!address) throw new UsageError("PORT is 0: give the server's address, which it told when it started.");
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol))
    throw new UsageError(`${address} is no address: give one like http://127.0.0.1:3000.`);
  return { address: address.replace(/(\/v1)?\/*$/, ''), token: server?.token ?? null };
}

/** The id of the soil moisture sensor with this serial number or id. An id that our database doesn't know is the server's to judge. */
async function siteOf(db: Db, word: string): Promise<string> {
  const wanted = word.toLowerCase();
  const found = await db
    .selectFrom('device')
    .innerJoin('farm', 'farm.id', 'device.farm_id')
    .select(['device.uid', 'farm.name'])
    .where('device.kind', '=', 'sensor')
    .where('device.type', '=', sensorTypes.SOIL_MOISTURE)
    .where('device.deleted_at', 'is', null)
    .where('farm.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('device.uid', '=', wanted), eb(sql`lower(device.serial_number)`, '=', wanted)]))
    .limit(10)
    .execute();
  const [site] = found;
  if (found.length > 1) {
    const list = found.map(({ uid, name }) => `${uid} (${name})`).join(', ');
    throw new UsageError(`Several soil moisture sensors are ${word}: give the id of one: ${list}.`);
  }
  if (site) return site.uid;
  if (/^[0-9a-f]{24}$/.test(wanted)) return wanted;
  throw new UsageError(
    `There is no soil moisture sensor ${word}: give its serial number, or its id of 24 characters.`,
  );
}

/** Throws PartlyDone when some were refused: a script that calls us must not take that for all is well. */
function tell(sensor: string, { stored, refused, reasons }: Sent): string {
  const done = `${stored} samples of ${sensor} are stored, those that were there already among them.`;
  if (refused === 0) return done;
  const more = refused > reasons.length ? [`… and ${refused - reasons.length} more.`] : [];
  throw new PartlyDone([`${refused} samples were refused:`, ...reasons, ...more, done].join('\n'));
}
