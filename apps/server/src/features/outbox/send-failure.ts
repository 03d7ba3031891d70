const ERROR_MAX = 300;

/** Why a message did not go: it will never, this one didn't, or none would now. */
export type Reach = 'for ever' | 'this' | 'all';

/** Its text is kept and shown to the operator: on one line, and without the secrets that are given. */
export class SendFailure extends Error {
  constructor(
    text: string,
    readonly reach: Reach,
    secrets: readonly string[] = [],
  ) {
    super(withoutSecrets(text, secrets));
  }
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
