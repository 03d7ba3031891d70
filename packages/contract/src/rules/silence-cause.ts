import type { LatLng } from '../schemas.ts';
import { distanceKm } from './distance.ts';

/** Sprinklers report four times a day, repeaters daily: longer than this and they are silent, ms. */
const HOUR_MS = 3_600_000;
export const UNIT_SILENT_MS = 24 * HOUR_MS;
const REPEATER_SILENT_MS = 36 * HOUR_MS;
const GATEWAY_SILENT_MS = HOUR_MS;
/** A word that was still under way when it fell silent may come a little later, ms. */
const HEARD_WITH_MS = UNIT_SILENT_MS;
/** So near to a repeater sprinklers are taken to be heard through it. */
export const REPEATER_REACH_M = 250;
/** Fewer are no pattern. */
const LEAST = 3;

/** A sprinkler in service. Times in epoch ms; null: never heard. */
export interface MaybeSilent {
  readonly location: LatLng | null;
  readonly heardAt: number | null;
  readonly gatewayUID: string | null;
}
export interface Passer {
  readonly id: string;
  readonly name: string;
  readonly location: LatLng | null;
  readonly heardAt: number | null;
}

export interface SilenceCause {
  readonly kind: 'gateway' | 'repeater';
  readonly id: string;
  readonly name: string;
  readonly heardAt: number;
  /** Silent sprinklers that it explains. */
  readonly units: number;
}
export interface Silence {
  /** That were heard once, and not for more than a day. */
  readonly silent: number;
  readonly cause: SilenceCause | null;
}

/**
 * What explains at least half of a farm's silent sprinklers, three or more: a gateway that they are heard by, or a repeater near
 * them, that is silent itself and fell so no later than they did. One line instead of fourteen. `now` in epoch ms.
 */
export function silenceOf(
  units: readonly MaybeSilent[],
  { gateways, repeaters }: { gateways: readonly Passer[]; repeaters: readonly Passer[] },
  now: number,
): Silence {
  const silent = units.filter(({ heardAt }) => heardAt !== null && now - heardAt > UNIT_SILENT_MS);
  const explainedBy = (kind: SilenceCause['kind'], passer: Passer, isOf: (unit: MaybeSilent) => boolean) => {
    const { id, name, heardAt } = passer;
    if (heardAt === null) return [];
    const explained = silent.filter((unit) => (unit.heardAt ?? 0) <= heardAt + HEARD_WITH_MS && isOf(unit));
    return [{ kind, id, name, heardAt, units: explained.length }];
  };
  const causes = [
    ...silentFor(gateways, GATEWAY_SILENT_MS, now).flatMap((gateway) =>
      explainedBy('gateway', gateway, ({ gatewayUID }) => gatewayUID === gateway.id),
    ),
    ...silentFor(repeaters, REPEATER_SILENT_MS, now).flatMap((repeater) =>
      explainedBy('repeater', repeater, ({ location }) => isNear(location, repeater.location)),
    ),
  ];
  const [first] = causes
    .filter((cause) => cause.units >= LEAST && cause.units * 2 >= silent.length)
    .toSorted((one, other) => other.units - one.units);
  return { silent: silent.length, cause: first ?? null };
}

const silentFor = (passers: readonly Passer[], ms: number, now: number) =>
  passers.filter(({ heardAt }) => heardAt !== null && now - heardAt > ms);

const isNear = (one: LatLng | null, other: LatLng | null): boolean =>
  one !== null && other !== null && distanceKm(one, other) * 1000 <= REPEATER_REACH_M;
