import { isAbsolute, resolve } from 'node:path';
import { createReader, type Reader } from './config-reader.ts';
import { readImagery, type Imagery } from './config-imagery.ts';
import { USAGE_LIMITS, type UsageLimits } from '@headrace/contract/limits';
import { readOperatorMail, readSending, type SendingConfig } from './config-sending.ts';
import { readWeather } from './config-weather.ts';
import type { WeatherSettings } from './features/weather/open-meteo.ts';
import type { TrustedProxies } from './http/trusted-proxies.ts';
import { type CertificateFiles } from './mqtt/certificate-files.ts';
import type { DiskLimits } from './machine/disk-watch.ts';

export interface Config {
  port: number;
  host: string;
  /** Where people reach the app, without a slash at its end; null: this machine's own address. */
  publicUrl: string | null;
  mqttPort: number;
  mqttHost: string;
  /** The built-in broker's second door, by TLS; null: it has none. */
  mqttTlsListener: ({ host: string; port: number } & CertificateFiles) | null;
  dataDir: string;
  /** A PostgreSQL of the operator's; the embedded one when null. */
  databaseUrl: string | null;
  /** An MQTT broker of the operator's; the embedded one when null. */
  mqttUrl: string | null;
  /** How many messages that broker keeps for the servers. */
  mqttQueueMax: number;
  /** Where devices reach the broker, if not the built-in one beside the web app. */
  mqttPublicUrl: string | null;
  /** PEM texts for `mqtts://`: the broker's authority, and our own certificate with its key. */
  mqttTls: { ca?: string; cert?: string; key?: string };
  /** Tells this server from the others at an outside broker; null: host name and data folder do. */
  serverName: string | null;
  demo: boolean;
  /** Others than this machine can reach it: the demo password is refused. */
  onNetwork: boolean;
  /** New accounts wait for the operator's approval. */
  requireApproval: boolean;
  logLevel: string;
  /** What the devices of a farm, and of all farms of an account, may write. */
  usageLimits: UsageLimits;
  rawRetentionDays: number;
  alertRetentionDays: number;
  trustedProxies: TrustedProxies;
  /** What the operator's calls show; null: the one that the server makes in its data folder. */
  operatorToken: string | null;
  /** Seals secrets in the database; null: with a key that is kept there. */
  secretKey: string | null;
  /** What lies under the farms. */
  imagery: Imagery;
  /** Finds addresses: URL template with {text}, {countries} and {token}; our own gazetteer when null. */
  geocoder: { url: string; token: string; attribution: string } | null;
  /** Where rain forecasts come from; none when null. */
  weather: WeatherSettings | null;
  /** How mail, SMS and push messages leave. */
  sending: SendingConfig;
  /** Where notices for the operator go; null: into the log alone. */
  operatorMail: string | null;
  disk: DiskLimits;
  /** How large the operator lets the database grow, bytes; 0: nobody said. */
  databaseMaxBytes: number;
}

/** Every fault of the environment at once, one line each. */
export class ConfigError extends Error {
  constructor(readonly faults: string[]) {
    super(`The settings can't be used:\n${faults.map((fault) => `- ${fault}`).join('\n')}`);
  }
}

const MEBIBYTE = 1024 * 1024;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const isLoopback = (host: string) =>
  ['localhost', '::1', '[::1]'].includes(host) || /^127(\.\d+){3}$/.test(host);

/** By an address of its own, or by a proxy on this machine, which the other two settings speak of. */
const isOnNetwork = ({ host, publicUrl, trustedProxies }: Config) =>
  !isLoopback(host) ||
  trustedProxies !== 0 ||
  (publicUrl !== null && !isLoopback(new URL(publicUrl).hostname));

/** The only reader of the environment. docs/configuration.md describes each variable. */
export function readConfig(env: NodeJS.ProcessEnv, args: readonly string[], cwd: string): Config {
  const faults: string[] = [];
  const read = createReader(env, cwd, faults);
  const { text, integer, flag, proxies, url, broker, pem } = read;
  const logLevel = text('LOG_LEVEL') ?? 'info';
  if (!LOG_LEVELS.includes(logLevel))
    faults.push(`LOG_LEVEL is "${logLevel}": give one of ${LOG_LEVELS.join(', ')}.`);
  const dataDir = text('DATA_DIR') ?? 'data';
  const host = text('HOST') ?? '127.0.0.1';
  const geocoderUrl = text('GEOCODER_URL');
  const geocoderToken = text('GEOCODER_TOKEN');
  if (
    geocoderUrl !== null &&
    !(/^https?:\/\/[^/{}]+\/.*\{text\}/.test(geocoderUrl) && URL.canParse(geocoderUrl))
  )
    faults.push("GEOCODER_URL can't be read: give an http(s) address with {text} in its path or query.");
  if (geocoderUrl?.includes('{token}') && geocoderToken === null)
    faults.push('GEOCODER_URL has {token} in it: give GEOCODER_TOKEN too.');
  const config: Config = {
    port: integer('PORT', 3000, 0, 65_535),
    host,
    publicUrl: url('PUBLIC_URL', ['http:', 'https:'])?.replace(/\/+$/, '') ?? null,
    mqttPort: integer('MQTT_PORT', 1883, 0, 65_535),
    mqttHost: text('MQTT_HOST') ?? host,
    mqttTlsListener: readTlsListener(read, host),
    dataDir: isAbsolute(dataDir) ? dataDir : resolve(cwd, dataDir),
    databaseUrl: url(
      'DATABASE_URL',
      ['postgres:', 'postgresql:'],
      ', by a socket postgres:///name?host=/folder/of/it&user=user',
    ),
    mqttUrl: broker('MQTT_URL'),
    mqttQueueMax: integer('MQTT_QUEUE_MAX', 100_000, 1, 1_000_000_000),
    mqttPublicUrl: broker('MQTT_PUBLIC_URL'),
    mqttTls: withoutAbsent({
      ca: pem('MQTT_CA_FILE'),
      cert: pem('MQTT_CERT_FILE'),
      key: pem('MQTT_KEY_FILE'),
    }),
    serverName: text('SERVER_NAME'),
    demo: args.includes('--demo'),
    onNetwork: false,
    requireApproval: flag('REQUIRE_APPROVAL'),
    logLevel,
    usageLimits: {
      farmReadingsADay: integer('FARM_READINGS_A_DAY', USAGE_LIMITS.farmReadingsADay, 1000, 1_000_000_000),
      accountReadingsADay: integer(
        'ACCOUNT_READINGS_A_DAY',
        USAGE_LIMITS.accountReadingsADay,
        1000,
        1_000_000_000,
      ),
      farmSeries: integer('FARM_VALUES', USAGE_LIMITS.farmSeries, 100, 100_000_000),
    },
    rawRetentionDays: integer('RAW_RETENTION_DAYS', 730, 31, 36_500),
    // What is told once in a water year is known by what was told.
    alertRetentionDays: integer('ALERT_RETENTION_DAYS', 730, 400, 36_500),
    trustedProxies: proxies('TRUST_PROXY'),
    operatorToken: text('OPERATOR_TOKEN'),
    secretKey: text('SECRET_KEY'),
    imagery: readImagery(read),
    geocoder:
      geocoderUrl && URL.canParse(geocoderUrl)
        ? {
            url: geocoderUrl,
            token: geocoderToken ?? '',
            attribution: text('GEOCODER_ATTRIBUTION') ?? new URL(geocoderUrl).host,
          }
        : null,
    weather: readWeather(read),
    sending: readSending(read),
    operatorMail: readOperatorMail(read),
    disk: {
      warnBytes: integer('DISK_WARN_MB', 4096, 1, 10_000_000) * MEBIBYTE,
      lowBytes: integer('DISK_LOW_MB', 512, 1, 10_000_000) * MEBIBYTE,
    },
    databaseMaxBytes: integer('DATABASE_MAX_MB', 0, 0, 1_000_000_000) * MEBIBYTE,
  };
  config.onNetwork = isOnNetwork(config);
  if (config.secretKey !== null && (config.secretKey.length < 32 || new Set(config.secretKey).size < 8))
    faults.push(
      'SECRET_KEY is easily guessed: give 32 characters or more made by chance (openssl rand -base64 32).',
    );
  if (config.operatorToken !== null && config.operatorToken.length < 16) {
    faults.push('OPERATOR_TOKEN is too short: give 16 characters or more.');
  } else if (config.operatorToken !== null && new Set(config.operatorToken).size < 8) {
    faults.push('OPERATOR_TOKEN is easily guessed: give one made by chance (openssl rand -base64 32).');
  }
  if ((text('MQTT_CERT_FILE') === null) !== (text('MQTT_KEY_FILE') === null))
    faults.push('MQTT_CERT_FILE and MQTT_KEY_FILE belong together: give both or neither.');
  if (config.serverName !== null && !/^[\w.-]{1,40}$/.test(config.serverName))
    faults.push(
      `SERVER_NAME is "${config.serverName}": give up to 40 letters, digits, dots, dashes or underscores.`,
    );
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/** The server reads the files, again and again: what is wrong with them keeps nobody from a backup or the command line. */
function readTlsListener({ text, integer, path, fault }: Reader, host: string): Config['mqttTlsListener'] {
  const [certFile, keyFile] = [path('MQTT_TLS_CERT_FILE'), path('MQTT_TLS_KEY_FILE')];
  const address = {
    host: text('MQTT_TLS_HOST') ?? text('MQTT_HOST') ?? host,
    port: integer('MQTT_TLS_PORT', 8883, 0, 65_535),
  };
  if (certFile === null && keyFile === null) return null;
  if (certFile === null || keyFile === null) {
    fault('MQTT_TLS_CERT_FILE and MQTT_TLS_KEY_FILE belong together: give both or neither.');
    return null;
  }
  if (text('MQTT_URL') !== null)
    fault('MQTT_TLS_CERT_FILE is for the built-in broker: with MQTT_URL the outside broker has its own.');
  return { ...address, certFile, keyFile };
}

function withoutAbsent(files: Record<'ca' | 'cert' | 'key', string | undefined>): Config['mqttTls'] {
  return Object.fromEntries(Object.entries(files).filter(([, content]) => content !== undefined));
}
