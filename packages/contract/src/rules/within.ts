import type { Limits } from '@headrace/device/metric-row';

export type { Limits };

export const isWithin = ({ min, max }: Limits, value: number | null | undefined): value is number =>
  typeof value === 'number' && value >= min && value <= max;
