const ERROR_MAX = 300;

/** Ends the reason where the answer was lost: it may have gone. */
export const PERHAPS_SENT = "Whether it went isn't known.";

/** Why a message did not go: it will never, this one didn't, or none would now. */
export type Reach = 'for ever' | 'this' | 'all';

/** Nothing is put off for longer: it would be of no use, ms. */
const PUT_OFF_MAX_MS = 86_400_000;

/** Its text is kept and shown to the operator: on one line, and without the secrets that are given. */
export class SendFailure extends Error {
  constructor(
    text: string,
    readonly reach: Reach,
    secrets: readonly string[] = [],
    /** Who refused it wants to be asked again so much later, ms; null: they did not say. */
    readonly againAfterMs: number | null = null,
  ) {
    super(withoutSecrets(text, secrets));
  }
}

/** What Retry-After says, in seconds or as a date (RFC 9110, 10.2.3); null: nothing that can be read. */
export function againAfter(retryAfter: string | null, now: Date): number | null {
  const text = retryAfter?.trim() ?? '';
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime();
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, ms), PUT_OFF_MAX_MS);
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  let safe = text;
  for (const secret of secrets.filter((word) => word.length > 2)) {
    const shapes = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')];
    for (const shape of shapes) safe = safe.replaceAll(shape, '***');
  }
  return safe
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, ERROR_MAX);
}
