const minuteMs = 60_000;
/** No watering of a plan is shorter. */
const stepMs = 5 * minuteMs;

/** When a valve opened or shut after `from` and up to `to` (ms), at most a minute late. A move of less than five minutes may be missed. */
export function valveMoves(isOpenAt: (at: number) => boolean, from: number, to: number): number[] {
  const moves: number[] = [];
  let wasOpen = isOpenAt(from);
  for (let at = from; at < to; ) {
    const next = Math.min(at + stepMs, to);
    const isOpen = isOpenAt(next);
    if (isOpen !== wasOpen) moves.push(firstSo(isOpenAt, isOpen, at, next));
    wasOpen = isOpen;
    at = next;
  }
  return moves;
}

/** The first minute after `from` at which it is so, `to` at the latest. */
function firstSo(isOpenAt: (at: number) => boolean, isOpen: boolean, from: number, to: number): number {
  for (let at = from + minuteMs; at < to; at += minuteMs) if (isOpenAt(at) === isOpen) return at;
  return to;
}
