/** "12 min left" until a time, to the nearest minute: `now` may be some seconds old. Both in epoch ms. */
export function minutesLeft(until: number, now: number): string {
  const minutes = Math.max(0, Math.round((until - now) / 60_000));
  return `${minutes} min left`;
}
