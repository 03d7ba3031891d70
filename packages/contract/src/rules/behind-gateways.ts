import type { SprinklerCounts } from '../groups.ts';

/** A device's own time, and the order in which a gateway tells things, may put it a little after its gateway, ms. */
const HEARD_WITH_MS = 600_000;

/**
 * Whether a device that was last heard at `heardAt` fell silent with its gateway, last in contact at `gatewayAt`, and not by
 * itself before: by then it had not been silent for `limitMs`, after which one of its kind is out of contact. Times in epoch ms.
 * One that was heard since by another way isn't behind it.
 */
export const fellSilentWith = (heardAt: number, gatewayAt: number, limitMs: number): boolean =>
  isBehind(heardAt, gatewayAt) && gatewayAt - heardAt <= limitMs;

const isBehind = (heardAt: number, gatewayAt: number) => heardAt <= gatewayAt + HEARD_WITH_MS;

export interface UnitBehind {
  /** Null: the farm has no gateway. */
  gatewayUID: string | null;
  /** Epoch ms; 0: never heard. */
  statustime: number;
  isOutOfContact: boolean;
}
export interface GatewayAhead {
  uid: string;
  /** Last in contact, epoch ms; null: never. */
  contactAt: number | null;
}

/**
 * How many units each gateway is the only way to, as far as is known, and how many of them fell silent with it. Gateways that
 * were never in contact have nobody behind them. `limitMs`: after so long a unit is out of contact.
 */
export function countBehind(
  units: readonly UnitBehind[],
  gateways: readonly GatewayAhead[],
  limitMs: number,
): SprinklerCounts['behind'] {
  const heard = units.filter(({ statustime }) => statustime > 0);
  return gateways.flatMap(({ uid, contactAt }) => {
    if (contactAt === null) return [];
    const own = heard.filter((unit) => unit.gatewayUID === uid && isBehind(unit.statustime, contactAt));
    const silent = own.filter(
      (unit) => unit.isOutOfContact && fellSilentWith(unit.statustime, contactAt, limitMs),
    );
    return own.length > 0 ? [{ gatewayUID: uid, units: own.length, silent: silent.length }] : [];
  });
}
