/**
 * Chance without memory: a number that belongs to a key and a slot of time alone. Models that draw from it give the same series
 * however often and whenever they are asked.
 */
export function noiseAt(key: number, slot: number): number {
  let mixed = (key ^ Math.imul(slot | 0, 0x9e3779b1)) >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 4_294_967_296;
}

/** The same, running smoothly from one whole slot to the next. */
export function smoothNoise(key: number, position: number): number {
  const slot = Math.floor(position);
  const part = position - slot;
  const weight = part * part * (3 - 2 * part);
  return noiseAt(key, slot) * (1 - weight) + noiseAt(key, slot + 1) * weight;
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

export function rounded(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  // Adding 0 turns -0 into 0.
  return Math.round(value * factor) / factor + 0;
}
