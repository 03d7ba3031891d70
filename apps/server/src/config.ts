import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { readSending, type SendingConfig } from './config-sending.ts';
import { readWeather } from './config-weather.ts';
import type { WeatherSettings } from './features/weather/open-meteo.ts';
import { isAddressOrNetwork, type TrustedProxies } from './http/trusted-proxies.ts';
import { parseBrokerUrl } from './mqtt/broker-address.ts';

export interface Config {
  port: number;
  host: string;
  /** Where people reach the app, without a slash at its end; null: this machine's own address. */
  publicUrl: string | null;
  mqttPort: number;
  mqttHost: string;
  dataDir: string;
  /** A PostgreSQL of the operator's; the embedded one when null. */
  databaseUrl: string | null;
  /** An MQTT broker of the operator's; the embedded one when null. */
  mqttUrl: string | null;
  /** Where devices reach the broker, if not the built-in one beside the web app. */
  mqttPublicUrl: string | null;
  /** PEM texts for `mqtts://`: the broker's authority, and our own certificate with its key. */
  mqttTls: { ca?: string; cert?: string; key?: string };
  /** Tells this server from the others at an outside broker; null: host name and data folder do. */
  serverName: string | null;
  demo: boolean;
  /** Bound to more than this machine: the demo password is refused. */
  onNetwork: boolean;
  /** New accounts wait for the operator's approval. */
  requireApproval: boolean;
  logLevel: string;
  rawRetentionDays: number;
  trustedProxies: TrustedProxies;
  /** Opens /metrics to callers from elsewhere. */
  operatorToken: string | null;
  tileUrl: string;
  tileAttribution: string;
  /** Finds addresses: URL template with {text}, {countries} and {token}; our own gazetteer when null. */
  geocoder: { url: string; token: string; attribution: string } | null;
  /** Where rain forecasts come from; none when null. */
  weather: WeatherSettings | null;
  /** How mail, SMS and push messages leave. */
  sending: SendingConfig;
}

/** Every fault of the environment at once, one line each. */
export class ConfigError extends Error {
  constructor(readonly faults: string[]) {
    super(`The settings can't be used:\n${faults.map((fault) => `- ${fault}`).join('\n')}`);
  }
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const isLoopback = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.');

/** XYZ or WMTS, with every part of a tile's address and nothing else that would have to be filled in. */
function isTileUrl(url: string): boolean {
  const names = [...url.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name.toLowerCase());
  const has = (...parts: string[]) => parts.every((part) => names.includes(part));
  const isKnown = names.every((name) => /^([xyzsr]|tilematrix|tilecol|tilerow)$/.test(name));
  return (
    /^https?:\/\//.test(url) && isKnown && (has('z', 'x', 'y') || has('tilematrix', 'tilecol', 'tilerow'))
  );
}

/** The only reader of the environment. docs/configuration.md describes each variable. */
export function readConfig(env: NodeJS.ProcessEnv, args: readonly string[], cwd: string): Config {
  const faults: string[] = [];
  const text = (name: string) => env[name]?.trim() || null;
  const integer = (name: string, fallback: number, min: number, max: number) => {
    const raw = text(name);
    if (raw === null) return fallback;
    const value = Number(raw);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    faults.push(`${name} is "${raw}": give a whole number from ${min} to ${max}.`);
    return fallback;
  };
  const flag = (name: string) => {
    const raw = text(name);
    if (raw === null || raw === 'false' || raw === '0') return false;
    if (raw === 'true' || raw === '1') return true;
    faults.push(`${name} is "${raw}": give true or false.`);
    return false;
  };
  const proxies = (name: string): TrustedProxies => {
    const raw = text(name);
    if (raw === 'true') return 1;
    if (raw === null || raw === 'false') return 0;
    if (/^[0-9]$/.test(raw)) return Number(raw);
    const addresses = raw.split(',').map((part) => part.trim());
    if (addresses.every(isAddressOrNetwork)) return addresses;
    faults.push(
      `${name} is "${raw}": give true, false, how many proxies stand before the server, or their addresses.`,
    );
    return 0;
  };
  const url = (name: string, protocols: string[]) => {
    const raw = text(name);
    if (raw === null) return null;
    if (URL.canParse(raw) && protocols.includes(new URL(raw).protocol)) return raw;
    faults.push(
      `${name} can't be read: give an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}.`,
    );
    return null;
  };
  const broker = (name: string) => {
    const raw = text(name);
    try {
      if (raw !== null) parseBrokerUrl(raw);
      return raw;
    } catch {
      faults.push(
        `${name} can't be read: give an address like mqtt://host:1883 or mqtts://host:8883, with % in a password as %25.`,
      );
      return null;
    }
  };
  const pem = (name: string) => {
    const path = text(name);
    if (path === null) return undefined;
    try {
      const content = readFileSync(resolve(cwd, path), 'utf8');
      if (content.includes('-----BEGIN ')) return content;
      faults.push(`${name} names ${path}, which is no PEM file: it begins with -----BEGIN.`);
    } catch {
      faults.push(`${name} names ${path}, which can't be read: give the path of a PEM file.`);
    }
    return undefined;
  };
  const logLevel = text('LOG_LEVEL') ?? 'info';
  if (!LOG_LEVELS.includes(logLevel))
    faults.push(`LOG_LEVEL is "${logLevel}": give one of ${LOG_LEVELS.join(', ')}.`);
  const dataDir = text('DATA_DIR') ?? 'data';
  const host = text('HOST') ?? '127.0.0.1';
  const tileUrl = text('TILE_URL') ?? '';
  if (tileUrl && !isTileUrl(tileUrl)) {
    faults.push(
      "TILE_URL can't be read: give an http(s) address with {z}, {x} and {y} in it, or of a WMTS with {TileMatrix}, {TileCol} and {TileRow}.",
    );
  }
  const geocoderUrl = text('GEOCODER_URL');
  const geocoderToken = text('GEOCODER_TOKEN');
  if (
    geocoderUrl !== null &&
    !(/^https?:\/\/[^/{}]+\/.*\{text\}/.test(geocoderUrl) && URL.canParse(geocoderUrl))
  )
    faults.push("GEOCODER_URL can't be read: give an http(s) address with {text} in its path or query.");
  if (geocoderUrl?.includes('{token}') && geocoderToken === null)
    faults.push('GEOCODER_URL has {token} in it: give GEOCODER_TOKEN too.');
  const reader = { text, integer, url, pem, fault: (sentence: string) => void faults.push(sentence) };
  const config: Config = {
    port: integer('PORT', 3000, 0, 65_535),
    host,
    publicUrl: url('PUBLIC_URL', ['http:', 'https:'])?.replace(/\/+$/, '') ?? null,
    mqttPort: integer('MQTT_PORT', 1883, 0, 65_535),
    mqttHost: text('MQTT_HOST') ?? host,
    dataDir: isAbsolute(dataDir) ? dataDir : resolve(cwd, dataDir),
    databaseUrl: url('DATABASE_URL', ['postgres:', 'postgresql:']),
    mqttUrl: broker('MQTT_URL'),
    mqttPublicUrl: broker('MQTT_PUBLIC_URL'),
    mqttTls: withoutAbsent({
      ca: pem('MQTT_CA_FILE'),
      cert: pem('MQTT_CERT_FILE'),
      key: pem('MQTT_KEY_FILE'),
    }),
    serverName: text('SERVER_NAME'),
    demo: args.includes('--demo'),
    onNetwork: !isLoopback(host),
    requireApproval: flag('REQUIRE_APPROVAL'),
    logLevel,
    rawRetentionDays: integer('RAW_RETENTION_DAYS', 730, 31, 36_500),
    trustedProxies: proxies('TRUST_PROXY'),
    operatorToken: text('OPERATOR_TOKEN'),
    tileUrl,
    tileAttribution: text('TILE_ATTRIBUTION') ?? '',
    geocoder:
      geocoderUrl && URL.canParse(geocoderUrl)
        ? {
            url: geocoderUrl,
            token: geocoderToken ?? '',
            attribution: text('GEOCODER_ATTRIBUTION') ?? new URL(geocoderUrl).host,
          }
        : null,
    weather: readWeather(reader),
    sending: readSending(reader),
  };
  if (config.operatorToken !== null && config.operatorToken.length < 16) {
    faults.push('OPERATOR_TOKEN is too short: give 16 characters or more.');
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

function withoutAbsent(files: Record<'ca' | 'cert' | 'key', string | undefined>): Config['mqttTls'] {
  return Object.fromEntries(Object.entries(files).filter(([, content]) => content !== undefined));
}
