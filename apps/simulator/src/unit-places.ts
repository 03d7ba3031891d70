import type { LiveContext } from './live-context.ts';
import type { UnitContext, UnitState } from './models/sprinkler.ts';

/** A unit fresh from its box. */
const freshChargePercent = 97;

/**
 * Which unit stands at each place, and whether it can be heard. A place keeps what belongs to it (schedule, history) when the unit in it is
 * replaced; units are called by the address they have now.
 */
export function createUnitPlaces({ farm, state, faults }: Pick<LiveContext, 'farm' | 'state' | 'faults'>) {
  const places = new Map(farm.units.map((place) => [place.unit.mac, place]));
  const placeOf = new Map(farm.units.map((place) => [addressOf(place), place.unit.mac]));

  function stateOf(place: UnitContext): UnitState {
    return state.units[place.unit.mac] ?? {};
  }

  function addressOf(place: UnitContext): string {
    return state.units[place.unit.mac]?.replacedBy?.mac ?? place.unit.mac;
  }

  function placeAt(mac: string): UnitContext | undefined {
    return places.get(placeOf.get(mac) ?? '');
  }

  /** The place with the unit that is in it now. */
  function present(place: UnitContext): UnitContext {
    const { replacedBy } = stateOf(place);
    if (!replacedBy) return place;
    const model = { ...place.unit.model, fault: 'none' as const, startCharge: freshChargePercent };
    return { ...place, unit: { ...place.unit, ...replacedBy, model } };
  }

  function isSilent(place: UnitContext): boolean {
    const { replacedBy, isDead } = stateOf(place);
    if (isDead || faults.get(addressOf(place), 'out-of-contact') || isBehindDeadRepeater(place)) return true;
    // A new unit in the place of one behind a repeater that is down isn't heard either.
    return place.unit.model.fault === 'cut-off' || (place.unit.model.fault === 'silent' && !replacedBy);
  }

  /** Near a repeater that is down nothing is heard of the units that it passes on. */
  function isBehindDeadRepeater({ via }: UnitContext): boolean {
    return via !== undefined && faults.get(via, 'repeater-down') !== undefined;
  }

  function isListed(gatewayMac: string, kind: 'ipcs' | 'repeaters', mac: string): boolean {
    return Object.hasOwn(state.gateways[gatewayMac]?.list?.[kind] ?? {}, mac);
  }

  function speaks(place: UnitContext): boolean {
    return !isSilent(place) && isListed(place.unit.gatewayMac, 'ipcs', addressOf(place));
  }

  /** Another unit in this one's place. One that stood elsewhere on the farm changes places with it; the old unit falls silent. */
  function replace(mac: string, by: { mac: string; serialNumber: string }): void {
    const place = placeAt(mac);
    if (!place || mac === by.mac) return;
    const { unit } = present(place);
    const other = placeAt(by.mac);
    if (other) {
      put(other, { mac, serialNumber: unit.serialNumber }, true);
      placeOf.set(mac, other.unit.mac);
    } else placeOf.delete(mac);
    put(place, by, false);
    placeOf.set(by.mac, place.unit.mac);
  }

  function put(place: UnitContext, replacedBy: { mac: string; serialNumber: string }, isDead: boolean): void {
    const { openUntil: _open, openedAt: _opened, isDead: _dead, ...rest } = stateOf(place);
    state.units[place.unit.mac] = { ...rest, replacedBy, ...(isDead && { isDead }) };
  }

  return { stateOf, addressOf, placeAt, present, isSilent, isListed, speaks, replace };
}
export type UnitPlaces = ReturnType<typeof createUnitPlaces>;
