import { Type, type Static } from 'typebox';
import {
  type CustomMetric,
  customMetricPattern,
  isCustomMetric,
  isSensorMetric,
  type MappedValues,
  maxCustomMetrics,
  metricInfo,
  sensorMetrics,
  type SensorMetric,
} from './metrics.ts';
import { normalizedEntries } from './normalized-payload.ts';
import { readPath } from './paths.ts';
import { unitFactor } from './units.ts';

type MappedMetric = SensorMetric | CustomMetric;

/**
 * What connects the object that a network server or payload codec decoded with our metrics.
 * `path` names a member (`water.depth`, `ports[1].total`, `data["level mm"]`, `channels[?@.name=="soil1"].value`); the value there becomes `raw × scale + offset`, in `unit`,
 * and is then turned into the metric's own unit. `text` gives words a value. `kind` says whether the member is a running total (`counter`)
 * or an amount since the last message (`value`): it picks between pulsesTotal and pulses, rainTipsTotal and rainTips and so on.
 * A value that we have no metric for is named by the mapping: `custom.leaf-wetness`, or `counter.starts` for a running total; `name` is
 * what people read and `unit` is kept as it is. `wrapAt` is where a running total begins anew (65536), when the device says so.
 */
export const FieldMappingEntry = Type.Object({
  path: Type.String({ minLength: 1, maxLength: 200 }),
  metric: Type.Unsafe<MappedMetric>({
    anyOf: [
      { enum: sensorMetrics.map((info) => info.name) },
      { type: 'string', pattern: customMetricPattern },
    ],
  }),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
  scale: Type.Optional(Type.Number({ minimum: -1e9, maximum: 1e9 })),
  offset: Type.Optional(Type.Number({ minimum: -1e9, maximum: 1e9 })),
  unit: Type.Optional(Type.String({ maxLength: 20 })),
  kind: Type.Optional(Type.Unsafe<'value' | 'counter'>({ enum: ['value', 'counter'] })),
  wrapAt: Type.Optional(Type.Integer({ minimum: 2, maximum: Number.MAX_SAFE_INTEGER })),
  text: Type.Optional(
    Type.Record(
      Type.String(),
      Type.Unsafe<boolean | number | null>({ type: ['boolean', 'number', 'null'] }),
      {
        maxProperties: 64,
      },
    ),
  ),
});
export type FieldMappingEntry = Static<typeof FieldMappingEntry>;
/** Room for all values of its own and as many of ours. */
export const maxMappingLines = 128;
export const FieldMapping = Type.Array(FieldMappingEntry, { maxItems: maxMappingLines });
export type FieldMapping = readonly FieldMappingEntry[];

export type MappingResult = { values: MappedValues; problems: string[] };

/** Members at the top level that are named as our metrics. */
const namedAlike: FieldMapping = sensorMetrics.map((info) => ({ path: info.name, metric: info.name }));

/** Running totals with the amounts that they are the sum of. */
const totals = sensorMetrics.flatMap(({ name, total }) =>
  total === null ? [] : [{ counter: total, value: name }],
);

/** What the schema can't say, naming the line; `null` when the mapping can be used. */
export function mappingFault(mapping: FieldMapping): string | null {
  const custom = new Set(mapping.map(targetOf).filter(isCustomMetric));
  if (custom.size > maxCustomMetrics)
    return `a sensor has at most ${maxCustomMetrics} values of its own naming: ${custom.size} are named`;
  const index = mapping.findIndex(
    (entry) => entry.wrapAt !== undefined && metricInfo(targetOf(entry))?.kind !== 'counter',
  );
  return index < 0
    ? null
    : `${index}.wrapAt is for running totals: give the line kind "counter" or leave it out`;
}

/** Where the running total of this metric begins anew, as the mapping says it; `null` when it doesn't. */
export function wrapOf(mapping: FieldMapping | null, metric: string): number | null {
  return mapping?.find((entry) => entry.wrapAt !== undefined && targetOf(entry) === metric)?.wrapAt ?? null;
}

/** What people read for a value that the mapping named itself, and its unit; by the line that it comes from. */
export function namedBy(mapping: FieldMapping | null, metric: string): { name?: string; unit?: string } {
  const entry = mapping?.find((line) => targetOf(line) === metric);
  return entry && isCustomMetric(metric) ? entry : {};
}

/**
 * Pure and total: reads own data members only, never throws. A member that is absent gives nothing (devices send different messages),
 * `null` gives `null`, anything that can't become the metric gives a problem and no value. When two entries name one metric, the first that
 * is present counts.
 *
 * Without a mapping: members at the top level that are named as our metrics, then what `normalized_payload` has of the time `at`, ISO-8601.
 */
export function applyMapping(object: unknown, mapping?: FieldMapping | null, at?: string): MappingResult {
  if (mapping) return applyLines(object, mapping);
  const normalized = normalizedEntries(object, at);
  const { values, problems } = applyLines(object, [...namedAlike, ...normalized.entries]);
  return { values, problems: [...problems, ...normalized.problems] };
}

function applyLines(object: unknown, mapping: FieldMapping): MappingResult {
  const values: Partial<Record<MappedMetric, number | boolean | null>> = {};
  const problems: string[] = [];
  for (const entry of mapping) {
    const metric = targetOf(entry);
    if (!isSensorMetric(metric) && !isCustomMetric(metric)) problems.push(`${entry.path}: no such metric`);
    else if (values[metric] === undefined) {
      const outcome = valueOf(object, entry, metric);
      if (typeof outcome === 'string') problems.push(`${entry.path}: ${outcome}`);
      else if (outcome !== undefined) values[metric] = outcome;
    }
  }
  return { values: values as MappedValues, problems };
}

function targetOf({ kind, metric }: FieldMappingEntry): MappedMetric {
  if (kind === undefined) return metric;
  if (isCustomMetric(metric))
    return kind === 'counter'
      ? (metric.replace(/^custom/, 'counter') as CustomMetric)
      : (metric.replace(/^counter/, 'custom') as CustomMetric);
  return totals.find(({ counter, value }) => metric === counter || metric === value)?.[kind] ?? metric;
}

/** `undefined` = the member isn't there; a string = why it can't be used. */
function valueOf(
  object: unknown,
  entry: FieldMappingEntry,
  metric: MappedMetric,
): number | boolean | null | string | undefined {
  const found = readPath(object, entry.path);
  if (!found.ok) return found.reason;
  const raw = entry.text ? mappedValue(found.value, entry.text) : found.value;
  if (raw === undefined || raw === null) return raw;
  return metricInfo(metric)?.type === 'boolean' ? toBoolean(raw) : toNumber(raw, entry, metric);
}

/** The value given to a word; words the mapping doesn't list are left as they are. */
function mappedValue(value: unknown, text: Record<string, boolean | number | null>): unknown {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return value;
  const word = String(value);
  return Object.hasOwn(text, word) ? text[word] : value;
}

function toBoolean(raw: unknown): boolean | string {
  if (typeof raw === 'boolean') return raw;
  if (raw === 0 || raw === 1) return raw === 1;
  return `${show(raw)} is neither true nor false: give it a value in "text"`;
}

function toNumber(raw: unknown, entry: FieldMappingEntry, metric: MappedMetric): number | null | string {
  const given = typeof raw === 'string' ? fromDigits(raw) : isCustomMetric(metric) ? fromState(raw) : raw;
  if (typeof given !== 'number') return `${show(raw)} is not a number: give it a value in "text"`;
  if (!Number.isFinite(given)) return null;
  const toOurs = isCustomMetric(metric) ? asIs : unitFactor(entry.unit, metricInfo(metric)?.unit ?? '');
  if (!toOurs) return `unit ${show(entry.unit)} can't become ${metricInfo(metric)?.unit || 'this metric'}`;
  return inBounds((given * (entry.scale ?? 1) + (entry.offset ?? 0)) * toOurs.factor + toOurs.shift, metric);
}

const asIs = { factor: 1, shift: 0 };
const tolerance = 1e-6;
const maxAmount = 1e15;

function inBounds(value: number, metric: MappedMetric): number | string {
  const { kind, values, isWhole } = metricInfo(metric) ?? {};
  if (values && !values.includes(value)) return `${value} is not one of ${values.join(', ')}`;
  if (kind !== 'counter' && kind !== 'delta')
    return Math.abs(value) <= 1e9 ? cleaned(value) : `${value} is out of bounds`;
  if (!isWhole) return value >= 0 && value <= maxAmount ? cleaned(value) : `${value} can't be an amount`;
  const whole = Math.round(value);
  if (whole < 0 || whole > Number.MAX_SAFE_INTEGER) return `${value} can't be a count`;
  return Math.abs(whole - value) <= Math.max(tolerance, tolerance * whole)
    ? whole
    : `${value} is not a whole count`;
}

/** Scaling leaves 0.30000000000000004 behind: nine decimals are more than any sensor has. */
function cleaned(value: number): number {
  return Math.round(value * 1e9) / 1e9;
}

function fromState(raw: unknown): unknown {
  return typeof raw === 'boolean' ? Number(raw) : raw;
}

const digits = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

function fromDigits(text: string): number | null {
  const trimmed = text.length > 40 ? '' : text.trim();
  return digits.test(trimmed) ? Number(trimmed) : null;
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}
