import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { demoFarms } from '@headrace/demo/demo-farms';
import { makeFarmProfile } from '@headrace/demo/make-farm';
import type { FarmProfile } from '@headrace/demo/profile';
import { faultUsage } from './control/fault-command.ts';
import type { RadioConditions } from './live-context.ts';
import { readSite, type Site } from './site.ts';

export const usage = `Headrace simulator: whole farms that speak MQTT as gateways and a network server do.

  --mqtt URL            broker                                        (SIM_MQTT, mqtt://127.0.0.1:1883)
  --data-dir DIR        where the server keeps its data               (SIM_DATA_DIR, ./data)
  --secret-file FILE    what demo keys are derived from               (SIM_SECRET_FILE, DIR/demo-secret)
  --state-dir DIR       what it remembers between runs                (SIM_STATE_DIR, DIR/simulator)
  --farms demo|load:N   the three demo farms, or N of 50 sprinklers   (SIM_FARMS, demo)
  --site FILE           a farm of yours, from a JSON file, in place of those  (SIM_SITE)
  --backfill-days N     history published on the first start, 0-730   (SIM_BACKFILL_DAYS, 365; 0 for load and site)
  --speed N             1-3600                                        (SIM_SPEED, 1)
  --seed N              other weather and other habits                (SIM_SEED, 1)
  --ack-delay-ms N      what a gateway takes to answer for itself     (SIM_ACK_DELAY_MS, 1000)
  --unit-delay-ms N     what one try to reach a unit by radio takes   (SIM_UNIT_DELAY_MS, 1500)
  --radio-loss S        share of tries that no unit hears, 0 to 1     (SIM_RADIO_LOSS, 0.02)
  --control-port N      opens GET /state and POST /fault, loopback    (SIM_CONTROL_PORT, off)

To let something go wrong in a running simulator:
${faultUsage}
At speed N model time runs N times faster than the clock and devices report N times as often. Readings are stamped with the clock's
time all the same, so nothing lies in the future: a day of tanks and weather passes in 24/N hours.
`;

export type CommandLine = {
  readonly mqttUrl: string;
  /** Null: the gateways have keys of their own. */
  readonly secretFile: string | null;
  readonly stateDir: string;
  readonly farms: readonly FarmProfile[];
  /** Of gateways that weren't made by the demo, by MAC address. */
  readonly keys: ReadonlyMap<string, string>;
  readonly backfillDays: number;
  readonly speed: number;
  readonly seed: number;
  readonly radio: RadioConditions;
  /** `null` = no control port. */
  readonly controlPort: number | null;
};

const names = [
  'mqtt',
  'data-dir',
  'secret-file',
  'state-dir',
  'farms',
  'site',
  'backfill-days',
  'speed',
  'seed',
  'ack-delay-ms',
  'unit-delay-ms',
  'radio-loss',
  'control-port',
] as const;

/** Arguments win over the environment. Throws with all that is wrong, one line each. */
export function readCommandLine(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): CommandLine {
  const { values } = parseArgs({
    args: [...args],
    options: Object.fromEntries(names.map((name) => [name, { type: 'string' as const }])),
    strict: true,
  });
  const read = (name: (typeof names)[number]): string | undefined => {
    const given = values[name];
    return typeof given === 'string' ? given : env[`SIM_${name.toUpperCase().replaceAll('-', '_')}`];
  };
  const problems: string[] = [];
  const number = (
    name: (typeof names)[number],
    fallback: number,
    low: number,
    high: number,
    isWhole = true,
  ) => {
    const value = Number(read(name) ?? fallback);
    if ((isWhole && !Number.isInteger(value)) || !(value >= low && value <= high))
      problems.push(
        `--${name} must be a ${isWhole ? 'whole ' : ''}number from ${low} to ${high}, not "${read(name)}"`,
      );
    return value;
  };
  const dataDir = read('data-dir') ?? './data';
  const sitePath = read('site');
  const site = sitePath === undefined ? null : siteAt(sitePath, problems);
  const farms = site ? [site.profile] : farmsOf(read('farms') ?? 'demo');
  if (!farms) problems.push(`--farms must be demo or load:N with N from 1 to 10000, not "${read('farms')}"`);
  const hasPast = !site && !read('farms')?.startsWith('load');
  const line: CommandLine = {
    mqttUrl: read('mqtt') ?? 'mqtt://127.0.0.1:1883',
    secretFile: site ? null : (read('secret-file') ?? join(dataDir, 'demo-secret')),
    stateDir: read('state-dir') ?? join(dataDir, 'simulator'),
    farms: farms ?? [],
    keys: site?.keys ?? new Map(),
    backfillDays: number('backfill-days', hasPast ? 365 : 0, 0, 730),
    speed: number('speed', 1, 1, 3600),
    seed: number('seed', 1, 0, 0xffffffff),
    radio: {
      ackDelayMs: number('ack-delay-ms', 1000, 0, 600_000),
      unitDelayMs: number('unit-delay-ms', 1500, 0, 600_000),
      radioLoss: number('radio-loss', 0.02, 0, 1, false),
    },
    controlPort: read('control-port') === undefined ? null : number('control-port', 0, 0, 65_535),
  };
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return line;
}

function siteAt(path: string, problems: string[]): Site | null {
  try {
    return readSite(path);
  } catch (error) {
    problems.push(`--site: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

function farmsOf(text: string): FarmProfile[] | null {
  if (text === 'demo') return demoFarms();
  const count = Number(/^load:(\d{1,5})$/.exec(text)?.[1] ?? 0);
  if (count < 1 || count > 10_000) return null;
  return Array.from({ length: count }, (_, index) =>
    makeFarmProfile({ seed: index + 1, sprinklers: 50, tanks: 8, soilSites: 2, flowMeters: 2, repeaters: 2 }),
  );
}
