import type { ReplyOf } from '@headrace/contract/endpoint';
import type { AddressSuggestion, suggestAddress } from '@headrace/contract/farms';
import { minLength } from '@headrace/contract/rules/form-rules';
import { invalid } from '../../http/errors.ts';
import { suggestPlaces } from './gazetteer.ts';
import { askGeocoder, type GeocoderSettings } from './geocoder.ts';

export interface GeocodeOptions {
  /** Our own gazetteer alone when null. */
  readonly geocoder: GeocoderSettings | null;
  /** Codes of the enabled countries, in small letters. */
  readonly countries: () => Promise<readonly string[]>;
  readonly log: { warn(details: object, message: string): void };
  readonly timeoutMs?: number;
}

const GAZETTEER_SOURCE = 'GeoNames (CC BY 4.0)';
const CACHED_MS = 24 * 3_600_000;
const CACHED_TEXTS = 500;
/** After a failure nobody waits for the geocoder for this long. */
const REST_MS = 30_000;
const atLeastFour = minLength('Address', 4);

type Suggestions = ReplyOf<typeof suggestAddress>;

/** Addresses that begin like a text: from the operator's geocoder, and from our own gazetteer where it has none or fails. */
export function createGeocodeService({ geocoder, countries, log, timeoutMs }: GeocodeOptions) {
  const cache = new Map<string, { suggestions: AddressSuggestion[]; until: number }>();
  let restsUntil = 0;

  async function fromGeocoder(settings: GeocoderSettings, text: string, now: number) {
    const key = text.toLowerCase();
    const known = cache.get(key);
    if (known && known.until > now) return known.suggestions;
    if (restsUntil > now) return null;
    try {
      const suggestions = await askGeocoder(settings, text, await countries(), timeoutMs);
      remember(key, { suggestions, until: now + CACHED_MS });
      return suggestions;
    } catch (error) {
      restsUntil = now + REST_MS;
      // Neither the address, which holds the token, nor what was typed.
      log.warn({ reason: reasonOf(error) }, 'the geocoder did not answer; the gazetteer did');
      return null;
    }
  }

  function remember(key: string, entry: { suggestions: AddressSuggestion[]; until: number }): void {
    cache.delete(key);
    cache.set(key, entry);
    const [oldest] = cache.keys();
    if (cache.size > CACHED_TEXTS && oldest !== undefined) cache.delete(oldest);
  }

  return {
    /** Throws invalid when fewer than four characters were typed. */
    async suggest(typed: string, now: Date): Promise<Suggestions> {
      const fieldError = atLeastFour(typed) ?? (typed.trim() ? null : 'Address is required.');
      if (fieldError) throw invalid(fieldError, 'text');
      const text = typed.trim().replace(/\s+/g, ' ');
      const answered = geocoder && (await fromGeocoder(geocoder, text, now.getTime()));
      if (geocoder && answered) return { suggestions: answered, source: geocoder.attribution };
      return { suggestions: suggestPlaces(text, await countries()), source: GAZETTEER_SOURCE };
    },
  };
}
export type GeocodeService = ReturnType<typeof createGeocodeService>;

/** fetch wraps what happened; a fault in JSON would quote the answer. */
function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'its answer is no JSON';
  if (!(error instanceof Error)) return 'unknown';
  if (error.name === 'TimeoutError') return 'no answer in time';
  const cause = error.cause instanceof Error ? error.cause : error;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message.slice(0, 200);
}
