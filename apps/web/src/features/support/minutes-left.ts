/** "12 min left" until a time; both in epoch ms. */
export function minutesLeft(until: number, now: number): string {
  const minutes = Math.max(0, Math.ceil((until - now) / 60_000));
  return `${minutes} min left`;
}
