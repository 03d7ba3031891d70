/** spec 1 §3 */
export const spareStatuses = { Unknown: 1, Ready: 2, NotReady: 3, WithErrors: 4 } as const;
export type SpareStatus = (typeof spareStatuses)[keyof typeof spareStatuses];

/** Below this charge a spare isn't ready, %. spec 1 §9 */
export const SPARE_MIN_CHARGE_PERCENT = 70;
/** A spare's clock is at most this far off, s; a unit in service has `clockTreshold`. spec 1 §9 */
export const SPARE_MAX_CLOCK_DRIFT_S = 3;

export interface Radio {
  readonly farmId: string;
  readonly channel: number;
}

/** What is known of a spare; null where it has not said. */
export interface SpareFacts {
  readonly isContacted: boolean;
  /** % */
  readonly charge: number | null;
  /** Seconds that it is fast, negative when slow. */
  readonly clock: number | null;
  /** Of the gateway that hears it, as for units in service: charges below are low (%), clocks further off are wrong (s). */
  readonly limits: { readonly charge: number; readonly clock: number };
  readonly mode: string | null;
  readonly radio: Radio;
  /** What the farm's units in service use; null when there are none to compare with. */
  readonly farmRadio: Radio | null;
  /** Another unit in use, on this farm or elsewhere, has the same serial number. */
  readonly hasTwin: boolean;
}

export interface SpareReadiness {
  readonly status: SpareStatus;
  /** In words; empty when it is ready. */
  readonly reasons: string[];
}

/**
 * Whether a spare can take a unit's place at once. A fault of the unit itself makes it not ready. A fault around it (radio
 * settings, another faulty unit with its serial number, an error by a gateway's stricter limits) makes it a spare with errors.
 */
export function spareReadiness(spare: SpareFacts): SpareReadiness {
  if (!spare.isContacted) return { status: spareStatuses.Unknown, reasons: ['never contacted'] };
  const { charge, clock, mode, radio, farmRadio, hasTwin } = spare;
  const own = [
    ...(charge !== null && charge < SPARE_MIN_CHARGE_PERCENT ? ['battery below 70%'] : []),
    ...(clock !== null && Math.abs(clock) > SPARE_MAX_CLOCK_DRIFT_S ? ['clock drift above 3 seconds'] : []),
    ...(mode !== null && /hibernat/i.test(mode) ? ['hibernating'] : []),
  ];
  const around = [
    ...(farmRadio && farmRadio.farmId !== radio.farmId ? ['wrong farmID'] : []),
    ...(farmRadio && farmRadio.channel !== radio.channel ? ['wrong channel'] : []),
    ...errorsBeyond(spare),
    ...(hasTwin ? ['another faulty unit with the same serial number'] : []),
  ];
  return { status: statusOf(own, around), reasons: [...own, ...around] };
}

/** What makes it faulty by its gateway's limits where they are the stricter ones. */
function errorsBeyond({ charge, clock, limits }: SpareFacts): string[] {
  const isLow = charge !== null && charge >= SPARE_MIN_CHARGE_PERCENT && charge < limits.charge;
  const drift = Math.abs(clock ?? 0);
  const isOff = drift <= SPARE_MAX_CLOCK_DRIFT_S && drift > limits.clock;
  return [
    ...(isLow ? [`battery below ${limits.charge}%`] : []),
    ...(isOff ? [`clock drift above ${limits.clock} seconds`] : []),
  ];
}

function statusOf(own: readonly string[], around: readonly string[]): SpareStatus {
  if (own.length > 0) return spareStatuses.NotReady;
  return around.length > 0 ? spareStatuses.WithErrors : spareStatuses.Ready;
}

/** As people read it: with errors is not ready either. */
export function readinessText(status: number): 'Ready' | 'Not Ready' | 'Unknown' {
  if (status === spareStatuses.Ready) return 'Ready';
  return status === spareStatuses.NotReady || status === spareStatuses.WithErrors ? 'Not Ready' : 'Unknown';
}

/** The colour that says it: green, yellow for errors around it, red; a spare's own where it is not known. spec 2 §3.15 */
export function readinessColour(status: number): 'ok' | 'caution' | 'issue' | 'spare' {
  if (status === spareStatuses.Ready) return 'ok';
  if (status === spareStatuses.WithErrors) return 'caution';
  return status === spareStatuses.NotReady ? 'issue' : 'spare';
}
