import type { Confidence, UntilRefill } from '../insights.ts';
import { TANK_OUT_OF_CONTACT_MS, UNTIL_REFILL } from '../limits.ts';
import { toTenth } from './rolled.ts';
import { isValidTension } from './soil-moisture.ts';
import { lineThrough, t80 } from './spread.ts';
import type { Forecast } from './until-empty.ts';

/** One hour of a site: mean tension of each of its sensors, null where there is none that can be, and rain. */
export interface SoilHour {
  at: number;
  kpa: readonly (number | null)[];
  rainMm: number;
}

interface Point {
  at: number;
  kpa: number;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const none = (why: string) => ({ forecast: null, why }) as const;

/**
 * Days until a site reaches the tension at which its reader irrigates again (the start of the person's Refill band, kPa), if
 * it dries on as it does now. Taken is the average of the sensors that read a tension (0 to 200 kPa) in the last 3 hours, by
 * hours since the soil was last wetted: by rain of 1 mm in an hour, or a tension that fell by 10 kPa or 30 % within a day.
 * Tension grows about exponentially while soil dries: the newest 72 hours are fitted with a line through its logarithm, and with
 * a straight line, which is usual under 48 hours of drying. The one that fits clearly better is taken, else the usual one, and the
 * interval spans both. Reckoned from the tension now. 80 % interval: from how well the slope is known and how far hours lie off
 * the line, one hour in twelve counted, as neighbours tell the same and days differ. The driest sensor can bring `earliest`
 * forward.
 *
 * No forecast when silent, invalid, wetted in the last 24 hours, with too few hours, when tension isn't rising, or beyond 60
 * days. A probe that stands still in steady soil isn't dead; it lowers the confidence. There already: 0 days.
 */
export function untilRefill(
  hours: readonly SoilHour[],
  refillKpa: number,
  now: number,
): Forecast<UntilRefill> {
  const sensors = sensorsNow(hours, now);
  if (sensors.length === 0)
    return none(
      (hours.at(-1)?.at ?? 0) < now - TANK_OUT_OF_CONTACT_MS - HOUR
        ? 'The site is silent.'
        : 'No sensor of the site reads a tension.',
    );
  const mean = meanOf(hours, sensors);
  const kpaNow = mean.at(-1)?.kpa ?? 0;
  const drying = sinceWetting(hours, mean);
  if (kpaNow >= refillKpa) return { forecast: there(kpaNow, refillKpa, drying), why: '' };
  const fitted = fit(drying, refillKpa, kpaNow);
  if (typeof fitted === 'string') return none(fitted);
  const driest = Math.min(...sensors.map((sensor) => soonest(hours, sensor, refillKpa)));
  const still =
    sensors.length > 1 && sensors.some((sensor) => standsStill(hours, sensor, drying[0]?.at ?? 0));
  const earliest = Math.max(0, Math.min(fitted.earliest, driest, fitted.days));
  return {
    forecast: {
      days: toTenth(fitted.days),
      earliest: toTenth(earliest),
      latest: fitted.latest === null ? null : toTenth(fitted.latest),
      kpaNow: toTenth(kpaNow),
      kpaPerDay: toTenth(fitted.kpaPerDay),
      refillKpa,
      confidence: still ? 'low' : fitted.confidence,
      basis: `${fitted.basis}${still ? ' One sensor has not moved meanwhile.' : ''}`,
    },
    why: '',
  };
}

/** Numbers of the sensors whose newest hour is recent and reads a tension. */
function sensorsNow(hours: readonly SoilHour[], now: number): number[] {
  const recent = hours.filter(({ at }) => at >= now - TANK_OUT_OF_CONTACT_MS - HOUR);
  const count = Math.max(0, ...hours.map(({ kpa }) => kpa.length));
  return Array.from({ length: count }, (_, sensor) => sensor).filter((sensor) =>
    recent.some(({ kpa }) => isValidTension(kpa[sensor])),
  );
}

/** Of the hours in which each of these sensors read: a mean of other sensors would jump. */
function meanOf(hours: readonly SoilHour[], sensors: readonly number[]): Point[] {
  return hours.flatMap(({ at, kpa }) => {
    const values = sensors.map((sensor) => kpa[sensor]).filter(isValidTension);
    if (values.length < sensors.length) return [];
    return [{ at, kpa: values.reduce((sum, value) => sum + value, 0) / values.length }];
  });
}

/** The points after the soil was last wetted, from where it was wettest. */
function sinceWetting(hours: readonly SoilHour[], points: readonly Point[]): readonly Point[] {
  const { wetMm, wetKpa, wetPercent, wetLeastKpa } = UNTIL_REFILL;
  const rained = new Set(hours.filter(({ rainMm }) => rainMm >= wetMm).map(({ at }) => at));
  let start = 0;
  for (const [index, point] of points.entries()) {
    const lately = points.slice(start, index).filter(({ at }) => at >= point.at - DAY);
    const highest = Math.max(0, ...lately.map(({ kpa }) => kpa));
    const fall = highest - point.kpa;
    const isWetted = fall > wetKpa || (fall > wetLeastKpa && fall > (wetPercent / 100) * highest);
    const first = points[start];
    const isWettest = start > 0 && first && point.kpa < first.kpa && point.at - first.at <= DAY;
    if (rained.has(point.at) || isWetted || isWettest) start = index;
  }
  return points.slice(start);
}

interface Fitted {
  days: number;
  earliest: number;
  latest: number | null;
  kpaPerDay: number;
  confidence: Confidence;
  basis: string;
}

type Curve = 'straight' | 'growing';
const curveNames = { straight: 'A straight line', growing: 'A growing curve' } as const;

/** From the tension now on; a text when it can't be told. */
function fit(drying: readonly Point[], refillKpa: number, kpaNow: number): Fitted | string {
  const [first, last] = [drying[0], drying.at(-1)];
  const hours = first && last ? (last.at - first.at) / HOUR : 0;
  if (!last || hours < UNTIL_REFILL.leastHours)
    return 'It was wetted lately: a day of drying is needed to know its rate.';
  const points = drying.filter(({ at }) => at >= last.at - UNTIL_REFILL.fitHours * HOUR);
  const span = Math.min(hours, UNTIL_REFILL.fitHours);
  if (points.length < UNTIL_REFILL.leastPoints || points.length < UNTIL_REFILL.leastShare * span)
    return 'Too few readings since it was last wetted.';
  const [straight, growing] = [
    fitCurve('straight', points, span, refillKpa, kpaNow),
    fitCurve('growing', points, span, refillKpa, kpaNow),
  ];
  if (!straight || !growing) return 'The tension is not rising.';
  const usual = hours < UNTIL_REFILL.straightBelowHours ? straight : growing;
  const other = usual === straight ? growing : straight;
  const clear = isClearer(usual, other) ? usual : isClearer(other, usual) ? other : null;
  const best = clear ?? usual;
  if (best.days > UNTIL_REFILL.longestDays) return 'It dries so slowly that no day can be told.';
  const possible = clear ? [clear] : [usual, other];
  const latest = Math.max(...possible.map((one) => one.latest));
  return {
    days: best.days,
    earliest: Math.min(...possible.map(({ earliest }) => earliest)),
    latest: latest > 6 * UNTIL_REFILL.longestDays ? null : latest,
    kpaPerDay: best.kpaPerDay,
    confidence: confidenceOf(span, best.relative, best.days),
    basis: `${curveNames[best.curve]} through ${Math.round(span)} hours of drying, ${toTenth(kpaNow)} kPa now.`,
  };
}

interface CurveFit {
  curve: Curve;
  days: number;
  earliest: number;
  /** Infinity: never, as far as can be told. */
  latest: number;
  kpaPerDay: number;
  /** Half of the interval of the rate, by the rate. */
  relative: number;
  /** How far the hours lie off the curve, kPa. */
  offKpa: number;
}

const isClearer = (one: CurveFit, than: CurveFit) => one.offKpa < UNTIL_REFILL.clearShare * than.offKpa;

/** A line through tensions, or through their logarithms; null when it doesn't rise. */
function fitCurve(
  curve: Curve,
  points: readonly Point[],
  span: number,
  refillKpa: number,
  kpaNow: number,
): CurveFit | null {
  const last = points.at(-1)?.at ?? 0;
  const scaled = (kpa: number) => (curve === 'straight' ? kpa : Math.log(Math.max(1, kpa)));
  const back = (value: number) => (curve === 'straight' ? value : Math.exp(value));
  const line = lineThrough(points.map(({ at, kpa }) => ({ x: (at - last) / DAY, y: scaled(kpa) })));
  if (!line || line.slope <= 0) return null;
  const way = scaled(refillKpa) - scaled(kpaNow);
  const counts = Math.max(UNTIL_REFILL.leastCounted, span / UNTIL_REFILL.hoursPerPoint);
  const off = 1.28 * line.deviation;
  const half = t80(counts - 2) * line.slopeDeviation * Math.sqrt(points.length / counts);
  const slowest = line.slope - half;
  return {
    curve,
    days: way / line.slope,
    earliest: Math.max(0, way - off) / (line.slope + half),
    latest: slowest > 0 ? (way + off) / slowest : Number.POSITIVE_INFINITY,
    kpaPerDay: curve === 'straight' ? line.slope : line.slope * kpaNow,
    relative: half / line.slope,
    offKpa: offCurve(points, (at) => back(line.slope * ((at - last) / DAY - line.meanX) + line.meanY)),
  };
}

/** Root of the mean square of what hours lie off, kPa. */
function offCurve(points: readonly Point[], kpaAt: (at: number) => number): number {
  const squares = points.reduce((sum, { at, kpa }) => sum + (kpa - kpaAt(at)) ** 2, 0);
  return Math.sqrt(squares / points.length);
}

function confidenceOf(hours: number, relative: number, days: number): Confidence {
  if (hours >= 72 && relative <= 0.25 && days <= 7) return 'high';
  return hours >= 48 && relative <= 0.5 && days <= 14 ? 'medium' : 'low';
}

/** Days until one sensor alone is there; never, when it can't be told. */
function soonest(hours: readonly SoilHour[], sensor: number, refillKpa: number): number {
  const points = meanOf(hours, [sensor]);
  const kpaNow = points.at(-1)?.kpa ?? 0;
  if (kpaNow >= refillKpa) return 0;
  const fitted = fit(sinceWetting(hours, points), refillKpa, kpaNow);
  return typeof fitted === 'string' ? Number.POSITIVE_INFINITY : fitted.days;
}

function standsStill(hours: readonly SoilHour[], sensor: number, since: number): boolean {
  const values = meanOf(hours, [sensor])
    .filter(({ at }) => at >= since)
    .map(({ kpa }) => kpa);
  return Math.max(...values) - Math.min(...values) <= UNTIL_REFILL.stillKpa;
}

function there(kpaNow: number, refillKpa: number, drying: readonly Point[]): UntilRefill {
  const first = drying[0] ?? { at: 0, kpa: kpaNow };
  const days = ((drying.at(-1)?.at ?? 0) - first.at) / DAY;
  return {
    days: 0,
    earliest: 0,
    latest: 0,
    kpaNow: toTenth(kpaNow),
    kpaPerDay: days > 0 ? toTenth((kpaNow - first.kpa) / days) : 0,
    refillKpa,
    confidence: 'high',
    basis: `The average of its sensors is ${toTenth(kpaNow)} kPa.`,
  };
}
