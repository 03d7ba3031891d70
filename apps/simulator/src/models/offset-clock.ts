import { type LocalClock, localTime } from './local-time.ts';

/** By how much the farm's clock is ahead of UTC, as the server told it, and from when on (model time). */
export type ClockOffset = { readonly from: number; readonly offsetMs: number };

/** Units keep what matters to waterings that began within the last days. */
const mostOffsets = 8;

/** The same list where it was told that before. */
export function withOffset(told: readonly ClockOffset[], next: ClockOffset): readonly ClockOffset[] {
  const before = told.filter(({ from }) => from <= next.from);
  return before.at(-1)?.offsetMs === next.offsetMs ? told : [...before, next].slice(-mostOffsets);
}

/**
 * The clock of a gateway's units: by the last offset that it was told. Before it was told one, its history goes by the zone in which
 * it was installed. It is another function whenever another offset was told, since waterings' starts are remembered by it.
 */
export function createOffsetClock(zone: LocalClock, told: () => readonly ClockOffset[]): () => LocalClock {
  let known: readonly ClockOffset[] = [];
  let clock = zone;
  return () => {
    const offsets = told();
    if (offsets === known) return clock;
    known = offsets;
    clock = (at) => {
      const last = offsets.findLast(({ from }) => from <= at);
      return last ? localTime(at, last.offsetMs) : zone(at);
    };
    return clock;
  };
}
