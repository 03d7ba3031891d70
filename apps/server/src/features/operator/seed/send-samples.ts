import { UsageError } from '../usage-error.ts';
import type { Sample } from './seed-file.ts';

const CALL_TIMEOUT_MS = 30_000;
const REASONS_SHOWN = 5;
/** Each takes a connection to the database, of which the server has a dozen for everything. */
const AT_ONCE = 4;

export interface SeedServer {
  /** As `http://127.0.0.1:3000`. */
  address: string;
  /** Its operator's; null: not known here. */
  token: string | null;
}

/** How many were stored, or had been before, and how many the server refused, with the first reasons. */
export interface Sent {
  stored: number;
  refused: number;
  reasons: string[];
}

/** A refused sample. */
interface Refusal {
  line: number;
  why: string;
}

/**
 * Posts samples, a few at a time: a reading belongs to the time it was taken, so that it doesn't matter which comes first.
 * Throws UsageError where the server can't be reached or doesn't let us in; what was sent until then is stored, and may be
 * sent again.
 */
export async function sendSamples(server: SeedServer, sensorUID: string, samples: Sample[]): Promise<Sent> {
  const refusals: Refusal[] = [];
  const failures: unknown[] = [];
  let stored = 0;
  const left = samples.values();
  async function sendOn(): Promise<void> {
    for (const { line, record } of left) {
      if (failures.length > 0) return;
      const why = await post(server, { sensorUID, ...record });
      if (why === null) stored += 1;
      else refusals.push({ line, why });
    }
  }
  await Promise.all(
    Array.from({ length: AT_ONCE }, () => sendOn().catch((error: unknown) => failures.push(error))),
  );
  const [failure] = failures;
  if (failure instanceof UsageError)
    throw new UsageError(`${failure.message} ${stored} samples are stored; the file may be sent again.`);
  if (failure !== undefined) throw failure;
  return { stored, refused: refusals.length, reasons: firstOf(refusals) };
}

const firstOf = (refusals: readonly Refusal[]): string[] =>
  refusals
    .toSorted((a, b) => a.line - b.line)
    .slice(0, REASONS_SHOWN)
    .map(({ line, why }) => `Line ${line}: ${why}`);

/** Null: stored. Else why the server refuses this one. */
async function post({ address, token }: SeedServer, body: object): Promise<string | null> {
  const response = await fetch(`${address}/v1/telemetry/add`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  }).catch(() => {
    throw new UsageError(`No server answers at ${address}: start it, or give its address.`);
  });
  const reply = (await response.json().catch(() => null)) as {
    success?: unknown;
    errorMessage?: unknown;
  } | null;
  if (response.ok && reply?.success === true) return null;
  const said = typeof reply?.errorMessage === 'string' ? reply.errorMessage.slice(0, 300) : null;
  if (response.status === 400 && said) return said;
  throw new UsageError(remedy(response.status, said, address));
}

function remedy(status: number, said: string | null, address: string): string {
  if (said === null) return `What answers at ${address} is no Headrace server: give another address.`;
  if (status === 401 || status === 403)
    return `The server at ${address} takes this with its operator token alone: set its OPERATOR_TOKEN here too, or run this as its user where its data folder is.`;
  if (status === 404) return `The server at ${address} has no such soil moisture sensor: give another.`;
  return `The server at ${address} failed: ${said}`;
}
