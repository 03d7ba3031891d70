import type { Scheduler } from '../scheduler.ts';
import type { Fault, FaultKind } from './fault-kinds.ts';

export type Faults = {
  readonly get: (mac: string, kind: FaultKind) => Fault | undefined;
  readonly of: (mac: string) => readonly Fault[];
  readonly all: () => Readonly<Record<string, readonly Fault[]>>;
  /** Replaces one of the same kind. */
  readonly add: (mac: string, fault: Fault) => void;
  /** Takes all faults of a device away. */
  readonly clear: (mac: string) => void;
  /** Ends one fault because what was done to the device ends it in the field as well; who did it reports. */
  readonly mend: (mac: string, kind: FaultKind) => void;
};

/**
 * The faults of one farm, kept in `byMac`. `onChange` is told of every fault that begins or ends; one that ends by its own time does so
 * through the scheduler, also after a restart.
 */
export function createFaults(
  byMac: Record<string, Fault[]>,
  scheduler: Scheduler,
  onChange: (mac: string, kind: FaultKind) => void,
): Faults {
  function take(mac: string, gone: (fault: Fault) => boolean): Fault[] {
    const before = byMac[mac] ?? [];
    const after = before.filter((fault) => !gone(fault));
    if (after.length > 0) byMac[mac] = after;
    else delete byMac[mac];
    return before.filter(gone);
  }

  function end(mac: string, gone: (fault: Fault) => boolean): void {
    for (const { kind } of take(mac, gone)) onChange(mac, kind);
  }

  function endInTime(mac: string, fault: Fault): void {
    if (fault.until === null) return;
    scheduler.add(fault.until, () => end(mac, (one) => one === fault));
  }

  for (const [mac, list] of Object.entries(byMac)) for (const fault of list) endInTime(mac, fault);

  const of = (mac: string): readonly Fault[] => byMac[mac] ?? [];
  return {
    of,
    get: (mac, kind) => byMac[mac]?.find((fault) => fault.kind === kind),
    all: () => byMac,
    add: (mac, fault) => {
      byMac[mac] = [...of(mac).filter(({ kind }) => kind !== fault.kind), fault];
      endInTime(mac, fault);
      onChange(mac, fault.kind);
    },
    clear: (mac) => end(mac, () => true),
    mend: (mac, kind) => void take(mac, (fault) => fault.kind === kind),
  };
}
