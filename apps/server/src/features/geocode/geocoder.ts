import type { AddressSuggestion } from '@headrace/contract/farms';
import { readFeatures } from './read-features.ts';

/** A geocoder of the operator's choice. */
export interface GeocoderSettings {
  /** With {text}, and where it takes them {countries} (`au,nz`) and {token}. */
  readonly url: string;
  readonly token: string;
  /** What its owner asks to be named as. */
  readonly attribution: string;
}

const TIMEOUT_MS = 3000;
const MAX_BYTES = 512 * 1024;

/** Asks the geocoder. Throws when it doesn't answer in time, or with something that isn't GeoJSON. */
export async function askGeocoder(
  settings: GeocoderSettings,
  text: string,
  countries: readonly string[],
  timeoutMs = TIMEOUT_MS,
): Promise<AddressSuggestion[]> {
  const response = await fetch(addressOf(settings, text, countries), {
    signal: AbortSignal.timeout(timeoutMs),
    redirect: 'error',
    headers: { accept: 'application/geo+json, application/json', 'user-agent': 'Headrace' },
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`it answered with status ${response.status}`);
  }
  return readFeatures(JSON.parse(await readText(response)), countries);
}

function addressOf({ url, token }: GeocoderSettings, text: string, countries: readonly string[]): string {
  const values: Record<string, string> = { text, token, countries: countries.join(',') };
  return url.replace(/\{(text|countries|token)\}/g, (_all, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error(`its answer has more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
