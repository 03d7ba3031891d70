/** Seeded numbers: the same seed gives the same farm and the same weather, on every machine. */
export type Random = {
  /** Uniform in [0, 1). */
  next: () => number;
  between: (low: number, high: number) => number;
  /** Whole, both ends included. */
  whole: (low: number, high: number) => number;
  chance: (probability: number) => boolean;
  /** Normal with mean 0 and deviation 1. */
  normal: () => number;
};

/** 32 bits from a text (FNV-1a), to give every device a stream of its own. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

/** One step of mulberry32: the next state and a number in [0, 1). Pure, for models that keep their state themselves. */
export function nextRandom(state: number): { state: number; value: number } {
  const next = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(next ^ (next >>> 15), next | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return { state: next, value: ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296 };
}

/** A number in [0, 1) that belongs to this text alone: noise that needs no memory. */
export function noise(text: string): number {
  return nextRandom(hash32(text)).value;
}

export function createRandom(seed: number | string): Random {
  let state = typeof seed === 'number' ? seed >>> 0 : hash32(seed);
  const next = () => {
    const step = nextRandom(state);
    state = step.state;
    return step.value;
  };
  const between = (low: number, high: number) => low + next() * (high - low);
  return {
    next,
    between,
    whole: (low, high) => Math.floor(between(low, high + 1)),
    chance: (probability) => next() < probability,
    // Box and Muller; 1 - next() is never 0.
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}
