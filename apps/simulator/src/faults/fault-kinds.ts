import type { SensorProfile } from '@headrace/demo/profile';

export type DeviceKind = 'gateway' | 'repeater' | 'sprinkler' | 'sensor';

type KindInfo = {
  readonly on: readonly DeviceKind[];
  /** What `value` means, and what it is when left out; absent = takes none. */
  readonly value?: {
    readonly unit: string;
    readonly low: number;
    readonly high: number;
    readonly usual?: number;
  };
};

/** What can go wrong with a device on demand. */
export const faultTable = {
  'out-of-contact': { on: ['sprinkler', 'repeater', 'sensor'] },
  'repeater-down': { on: ['repeater'] },
  'lost-close': { on: ['sprinkler'] },
  'valve-stuck': { on: ['sprinkler'] },
  'low-battery': { on: ['sprinkler', 'repeater', 'sensor'] },
  'clock-drift': {
    on: ['sprinkler'],
    value: { unit: 'seconds, fast is positive', low: -86_400, high: 86_400, usual: 95 },
  },
  'schedule-mismatch': { on: ['sprinkler'] },
  leak: { on: ['sensor'], value: { unit: 'litres an hour', low: 1, high: 100_000, usual: 600 } },
  'invalid-value': { on: ['sensor'] },
  'no-flow': { on: ['sensor'] },
  'gateway-down': { on: ['gateway'] },
  'list-not-loaded': { on: ['gateway'] },
  'list-lost': { on: ['gateway'] },
  'clock-not-set': { on: ['gateway'] },
  'old-firmware': { on: ['gateway'] },
  'old-units': { on: ['gateway'] },
  'one-done': { on: ['gateway'] },
  'no-ack': { on: ['gateway', 'sprinkler', 'sensor'] },
  'radio-loss': {
    on: ['gateway', 'sprinkler', 'sensor'],
    value: { unit: 'share of messages lost, 0 to 1', low: 0, high: 1 },
  },
} as const satisfies Record<string, KindInfo>;

export type FaultKind = keyof typeof faultTable;
export const faultKinds = Object.keys(faultTable) as FaultKind[];

export type Fault = {
  readonly kind: FaultKind;
  /** By the clock, epoch ms; `until` `null` = until it is cleared. */
  readonly since: number;
  readonly until: number | null;
  /** 0 where the kind takes none. */
  readonly value: number;
};

/** Kinds that a device can have. A leak needs water that is measured, and what stands still a meter. */
export function kindsFor(device: DeviceKind, sensor?: SensorProfile): FaultKind[] {
  return faultKinds.filter(
    (kind) =>
      (faultTable[kind].on as readonly DeviceKind[]).includes(device) &&
      (kind !== 'no-flow' || sensor?.model.kind === 'flow') &&
      (kind !== 'leak' || sensor?.model.kind === 'tank' || sensor?.model.kind === 'flow'),
  );
}

/** The value to use, or what is wrong with the one given. */
export function valueFor(kind: FaultKind, given: number | undefined): number | string {
  const info: KindInfo = faultTable[kind];
  if (!info.value) return given === undefined ? 0 : `value: ${kind} takes none, leave it out`;
  const { unit, low, high, usual } = info.value;
  const value = given ?? usual;
  if (value === undefined) return `value is missing: ${kind} needs one (${unit})`;
  return value >= low && value <= high ? value : `value must be from ${low} to ${high} (${unit})`;
}
