/**
 * The list from another place on, then what lies before it; `now` (epoch ms) says which. So a server that dies again and again before it has
 * looked at all farms reaches each of them: it doesn't begin with the same ones.
 */
export function turnedTo<T>(list: readonly T[], now: number): readonly T[] {
  const start = now % Math.max(1, list.length);
  return [...list.slice(start), ...list.slice(0, start)];
}
