import { Type } from 'typebox';
import type { MetricInfo } from './metric-row.ts';
import { sensorMetrics, type SensorValues } from './metrics.ts';

/** Widest bounds of the wire, on purpose: an odd reading is shown as odd, only what can't be a reading is refused. */
const ANY = { minimum: -1e9, maximum: 1e9 };
const COUNT = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const AMOUNT = { minimum: 0, maximum: 1e15 };

/**
 * A metric's member of `values`. `null` = "the sensor reports an invalid value". Written as JSON Schema type lists: one check, one
 * sentence when it fails.
 */
function memberSchema({ unit, label, meaning, type, kind, isWhole, values }: MetricInfo): object {
  const description = [unit, label, meaning].filter(Boolean).join('; ');
  if (type === 'boolean') return { type: ['boolean', 'null'], description };
  if (values) return { enum: [...values, null], description };
  const isAmount = kind === 'counter' || kind === 'delta';
  if (isAmount && isWhole) return { type: ['integer', 'null'], ...COUNT, description };
  return { type: ['number', 'null'], ...(isAmount ? AMOUNT : ANY), description };
}

/** `values` of `up/sensor`: a member for every row of `sensorMetrics`, in its order. */
export const sensorValues = Type.Unsafe<SensorValues>(
  Type.Object(
    Object.fromEntries(
      sensorMetrics.map((info) => [info.name, Type.Optional(Type.Unsafe<unknown>(memberSchema(info)))]),
    ),
  ),
);
