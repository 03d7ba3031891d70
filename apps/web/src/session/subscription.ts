/** Expired: valid until before now; the year 1970 stands for "never set". Times ISO or epoch ms. */
export function isSubscriptionExpired(validUntil: string | null, now: number): boolean {
  if (validUntil === null) return false;
  const at = Date.parse(validUntil);
  return !Number.isNaN(at) && new Date(at).getUTCFullYear() !== 1970 && at < now;
}
