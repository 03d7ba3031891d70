import { parseJson } from '@headrace/device/json';
import type { FieldMapping } from '@headrace/device/field-mapping';
import { withNormalized } from '@headrace/device/normalized-payload';
import type { Decoding } from '../readings/uplink.ts';
import type { SandboxOutcome } from './sandbox/sandbox-job.ts';

const WARNINGS = 10;
const WORDS = 200;

/** What the sandbox gave back, as a decoded payload or the reason why there is none. */
export function decodingOf(outcome: SandboxOutcome, mapping: FieldMapping | null): Decoding {
  if (outcome.kind === 'failed')
    return { ok: false, reason: outcome.message, isUntried: outcome.cause === 'queue' };
  if (outcome.kind !== 'result') return refused('it gave no result');
  const parsed = parseJson(Buffer.from(outcome.json));
  if (!parsed.ok) return refused(`its result can't be used: ${parsed.reason}`);
  const { threw, data, warnings, errors, normalized, normalizing } = parsed.value as Record<string, unknown>;
  if (threw !== undefined) return refused(errorText(threw));
  const problems = textsOf(errors);
  if (problems.length > 0) return refused(problems.join('; ').slice(0, 2 * WORDS));
  if (typeof data !== 'object' || data === null) return refused('it returned no data');
  const notNormalized = textsOf(normalizing).map((text) => `normalizeUplink: ${text}`);
  const object = withNormalized(data, normalized) ?? data;
  return { ok: true, object, warnings: [...textsOf(warnings), ...notNormalized].slice(0, WARNINGS), mapping };
}

function refused(reason: string): Decoding {
  return { ok: false, reason };
}

/** TS013 has lists of texts; some codecs return one text. */
function textsOf(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : value ? [value] : [];
  return list.slice(0, WARNINGS).map(errorText);
}

function errorText(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, WORDS);
}
