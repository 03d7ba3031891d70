/** How long what is set on a sensor waits for it, ms. docs/device-protocol.md */
export const CONFIG_LIFE_MS = 86_400_000;

const TOO_LATE = 'The device did not answer within a day. Please send it again when it is in contact.';
export const REPLACED = 'Replaced by a newer one.';

/** Why an update was not done and won't be any more; null: it was done, or is still waiting. `now` in epoch ms. */
export function configFault(
  update: { processed_at: Date | null; expires_at: Date | null; error: string | null },
  now: number,
): string | null {
  if (update.processed_at) return null;
  if (update.error !== null) return update.error;
  return update.expires_at && update.expires_at.getTime() <= now ? TOO_LATE : null;
}
