import type { WaterApplication } from '../farms.ts';
import { all, atLeast, atMost, isAny, isNumber, required } from './form-rules.ts';

/** How much water lands in how long: depth in mm, time in minutes, flow of one sprinkler in L/s, spacing in m. */

type Sprinkler = Pick<WaterApplication, 'type' | 'sprinklerFlow' | 'sprinklerCoverage'>;

/**
 * mm a minute; 0 where nothing can be reckoned, as of a sprinkler that covers no area. `SystemDesign` has a fixed spacing in its
 * constants (1,392.04 m²); spec 1 §9, spec 2 §5.
 */
export function millimetresPerMinute(sprinkler: Sprinkler): number {
  return finiteOr(0, rateOf(sprinkler));
}

const finiteOr = (otherwise: number, value: number) => (Number.isFinite(value) ? value : otherwise);

function rateOf({ type, sprinklerFlow, sprinklerCoverage }: Sprinkler): number {
  switch (type) {
    case 'SystemDesign':
      return (sprinklerFlow * 8.620428 * 7.2) / 1440;
    case 'SprinklerParameters':
      return (60 * sprinklerFlow) / sprinklerCoverage;
    default:
      return type satisfies never;
  }
}

/** Depth that so many minutes give, whole mm, at least 1. */
export function depthOf(sprinkler: Sprinkler, minutes: number): number {
  return finiteOr(1, Math.max(1, Math.round(minutes * millimetresPerMinute(sprinkler))));
}

/** Minutes that a depth takes, whole and rounded up so that it is reached, at least 1; 1 where nothing can be reckoned. */
export function minutesOf(sprinkler: Sprinkler, millimetres: number): number {
  // A minute that is only a rounding error of the division isn't one more.
  return finiteOr(1, Math.max(1, Math.ceil(millimetres / millimetresPerMinute(sprinkler) - 1e-9)));
}

/** m² of one sprinkler, to 0.01. */
export function coverageOf(width: number, length: number): number {
  return Math.round(width * length * 100) / 100;
}

/** The duration was entered: the depth follows. */
export function withDuration(config: WaterApplication, duration: number): WaterApplication {
  return follow({ ...config, duration }, (next) => ({ ...next, wal: depthOf(next, duration) }));
}

/** The depth was entered: the duration follows. */
export function withDepth(config: WaterApplication, wal: number): WaterApplication {
  return follow({ ...config, wal }, (next) => ({ ...next, duration: minutesOf(next, wal) }));
}

/** The sprinkler or the way of reckoning was changed: how long it runs stays, and the depth follows. */
export function withSprinkler(
  config: WaterApplication,
  change: Partial<Pick<WaterApplication, 'type' | 'sprinklerFlow' | 'sprinklerWidth' | 'sprinklerLength'>>,
): WaterApplication {
  const next = { ...config, ...change };
  const sprinklerCoverage = coverageOf(next.sprinklerWidth, next.sprinklerLength);
  return withDuration({ ...next, sprinklerCoverage }, next.duration);
}

/** While a field is being typed in there may be nothing to reckon with: then the others stay. */
function follow(
  config: WaterApplication,
  change: (config: WaterApplication) => WaterApplication,
): WaterApplication {
  return validateWater(config) === null ? change(config) : config;
}

const fields = [
  ['wal', 'Depth', 1000, ' mm'],
  ['duration', 'Duration', 1440, ' min'],
  ['sprinklerFlow', 'Sprinkler flow', 1000, ' L/s'],
  ['sprinklerWidth', 'Sprinkler width', 1000, ' m'],
  ['sprinklerLength', 'Sprinkler length', 1000, ' m'],
] as const;

/** The first field that is wrong, and its sentence; null when all are fine. The coverage follows from width and length. */
export function validateWater(
  config: WaterApplication,
): { field: keyof WaterApplication; sentence: string } | null {
  const type = isAny('how the depth is reckoned', ['SystemDesign', 'SprinklerParameters'])(config.type);
  if (type) return { field: 'type', sentence: type };
  for (const [field, label, most, unit] of fields) {
    const rule = all(required(label), isNumber(label), atLeast(label, 1, unit), atMost(label, most, unit));
    const sentence = rule(config[field]);
    if (sentence) return { field, sentence };
  }
  return null;
}
