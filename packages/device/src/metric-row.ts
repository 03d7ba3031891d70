/** The least and the most that a device can mean, in the metric's unit: beyond it sensor, cable or battery is at fault. */
export interface Limits {
  readonly min: number;
  readonly max: number;
}

/**
 * How a metric's values are added up and drawn.
 * - `gauge`: a value at a moment; its minimum, mean and maximum mean something (mm, V, kPa, °C).
 * - `rate`: a gauge of an amount per time, whose mean is weighted by the time between its readings.
 * - `counter`: a running total that only grows, until it rolls over or restarts.
 * - `delta`: an amount since the message before.
 * - `state`: one of a few values, kept until the next one; booleans are stored as 0 and 1.
 * - `setting`: what the device was told to do.
 */
export const metricKinds = ['gauge', 'rate', 'counter', 'delta', 'state', 'setting'] as const;
export type MetricKind = (typeof metricKinds)[number];

export interface MetricInfo {
  /** What history stores: never renamed, and never given another meaning. */
  readonly name: string;
  readonly unit: string;
  readonly kind: MetricKind;
  readonly type: 'number' | 'boolean';
  /** As people read it. */
  readonly label: string;
  /** What the protocol's table and schemas say beside the label. */
  readonly meaning: string;
  /** null: any number can be, or something else decides (a tank's height). */
  readonly limits: Limits | null;
  /** Decimals that are shown at most; null: by the size of the value. */
  readonly digits: number | null;
  /** Counted one by one: a whole number on the wire. */
  readonly isWhole: boolean;
  /** The only values that there are. */
  readonly values: readonly number[] | null;
  /** Of a delta: the counter of the same thing. */
  readonly total: string | null;
}

interface Options {
  meaning?: string;
  limits?: Limits;
  isWhole?: true;
  values?: readonly number[];
  total?: string;
}

/** A row of numbers: name, unit, label, digits shown at most. */
const numbers =
  <const Kind extends MetricKind>(kind: Kind) =>
  <const Name extends string, const Given extends Options>(
    name: Name,
    unit: string,
    label: string,
    digits: number,
    given?: Given,
  ) => {
    const { meaning = '', limits = null, isWhole = false, values = null } = (given ?? {}) as Options;
    const row = { name, unit, kind, type: 'number', label, digits, meaning, limits, isWhole } as const;
    const { total = null } = (given ?? {}) as Options;
    return {
      ...row,
      values: values as Given extends { values: infer Values } ? Values : null,
      total: total as Given extends { total: infer Total } ? Total : null,
    };
  };

export const gauge = numbers('gauge');
export const rate = numbers('rate');
export const counter = numbers('counter');
export const delta = numbers('delta');
export const state = numbers('state');
export const setting = numbers('setting');

const plain = { limits: null, digits: 0, isWhole: false, values: null, total: null } as const;

/** A row of yes and no. */
export const flag = <const Name extends string>(
  name: Name,
  label: string,
  { meaning = '', kind = 'state' }: { meaning?: string; kind?: 'state' | 'setting' } = {},
) => ({ name, unit: '', kind, type: 'boolean', label, meaning, ...plain }) as const;
