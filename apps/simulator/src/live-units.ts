import { metresBetween } from '@headrace/demo/geo';
import type { IpcItem } from '@headrace/device/messages';
import type { RepeaterProfile } from '@headrace/demo/profile';
import { itemMessages, type Send } from './farm-links.ts';
import { repeaterWithFaults, unitWithFaults } from './faults/visible-faults.ts';
import { crossed, type LiveContext } from './live-context.ts';
import { valveMoves } from './models/valve-moves.ts';
import { isOpen, repeaterStatus, type UnitContext, type UnitState, unitStatus } from './models/sprinkler.ts';

const regularMs = 6 * 3_600_000;
/** Sprinklers so near to a repeater are heard through it. */
const REPEATER_M = 250;
/** A unit fresh from its box. */
const freshChargePercent = 97;

/**
 * Sprinklers and repeaters: four times a day, each at its own minute, and whenever a valve has moved. A place keeps what belongs to it
 * (schedule, history) when the unit in it is replaced; units are called by the address they have now.
 */
export function createLiveUnits(context: LiveContext) {
  const { farm, links, state, scheduler, faults, now, modelTime, clockTime, dispatch } = context;
  const openPlaces = new Set(state.openUnits);
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
  function isBehindDeadRepeater({ unit }: UnitContext): boolean {
    return farm.repeaters.some(
      ({ profile }) => faults.get(profile.mac, 'repeater-down') && metresBetween(profile, unit) <= REPEATER_M,
    );
  }

  function isListed(gatewayMac: string, kind: 'ipcs' | 'repeaters', mac: string): boolean {
    return Object.hasOwn(state.gateways[gatewayMac]?.list?.[kind] ?? {}, mac);
  }

  function speaks(place: UnitContext): boolean {
    return !isSilent(place) && isListed(place.unit.gatewayMac, 'ipcs', addressOf(place));
  }

  /** True when the valve is not as it was when last reported, or was open by hand and nobody has told of its end. */
  function hasMoved(place: UnitContext, time: number): boolean {
    const { openUntil = Number.POSITIVE_INFINITY } = stateOf(place);
    return openUntil <= time || isOpen(place, stateOf(place), time) !== openPlaces.has(place.unit.mac);
  }

  /** A unit as it is now, or as it was at a time before. */
  function itemAt(place: UnitContext, at: number): IpcItem {
    const item = unitStatus(present(place), stateOf(place), modelTime(at));
    return unitWithFaults({ ...item, at: new Date(at).toISOString() }, faults);
  }

  /** The report of a valve that has moved: one that shut by itself did so at its time, even when that is told later. */
  function movedItem(place: UnitContext, at: number): IpcItem {
    const { mac } = place.unit;
    const { openUntil, ...rest } = stateOf(place);
    const isOver = openUntil !== undefined && openUntil <= modelTime(at);
    if (isOver) state.units[mac] = rest;
    noteValve(place, at);
    const isShutByItself = isOver && !openPlaces.has(mac) && !isOpen(place, rest, openUntil);
    return itemAt(place, isShutByItself ? Math.min(at, clockTime(openUntil)) : at);
  }

  function noteValve(place: UnitContext, at: number): void {
    const { mac } = place.unit;
    if (isOpen(place, stateOf(place), modelTime(at))) openPlaces.add(mac);
    else openPlaces.delete(mac);
    state.openUnits = [...openPlaces];
  }

  function tell(gatewayMac: string, ipcs: IpcItem[], repeaterAt: (key: number) => number | null): void {
    const repeaters = farm.repeaters.flatMap(({ profile, key }) => {
      const at = profile.gatewayMac === gatewayMac ? repeaterAt(key) : null;
      return at === null ? [] : repeaterItems(profile, key, at);
    });
    dispatch([
      ...itemMessages(links, gatewayMac, 'ipc', ipcs),
      ...itemMessages(links, gatewayMac, 'repeater', repeaters),
    ]);
  }

  function repeaterItems(repeater: RepeaterProfile, key: number, at: number) {
    const { mac, gatewayMac, model } = repeater;
    const isDown = model.isDown || faults.get(mac, 'out-of-contact') || faults.get(mac, 'repeater-down');
    if (isDown || !isListed(gatewayMac, 'repeaters', mac)) return [];
    const item = repeaterStatus(repeater, key, farm.env, modelTime(at));
    return [repeaterWithFaults({ ...item, at: new Date(at).toISOString() }, faults)];
  }

  const speakingFor = (gatewayMac: string) =>
    farm.units.filter((place) => place.unit.gatewayMac === gatewayMac && speaks(place));

  /** A unit's reports since its last regular one: that, and each move of its valve. */
  function reportsSince(place: UnitContext, regular: number, at: number): IpcItem[] {
    const isOpenAt = (moment: number) => isOpen(place, stateOf(place), modelTime(moment));
    return [regular, ...valveMoves(isOpenAt, regular, at)].map((moment) => itemAt(place, moment));
  }

  /** After a start every unit's last regular report is told again, so that the farm is complete at once; and what moved since. */
  function publishAll(gatewayMac: string, at: number): void {
    const lastRegular = (key: number) => at - ((at - (key % regularMs)) % regularMs);
    const speaking = speakingFor(gatewayMac);
    const told = speaking.flatMap((place) => reportsSince(place, lastRegular(place.key), at));
    const moved = speaking.filter((place) => hasMoved(place, modelTime(at)));
    tell(gatewayMac, [...told, ...moved.map((place) => movedItem(place, at))], lastRegular);
  }

  /** `before`: model time up to which all has been told. */
  function publishDue(gatewayMac: string, at: number, before: number): void {
    const time = modelTime(at);
    const isDue = (key: number) => crossed(before, time, regularMs, key % regularMs);
    const items = speakingFor(gatewayMac).flatMap((place) => {
      if (hasMoved(place, time)) return movedItem(place, at);
      return isDue(place.key) ? itemAt(place, at) : [];
    });
    tell(gatewayMac, items, (key) => (isDue(key) ? at : null));
  }

  /** Tells of a valve at the moment it shuts by itself; when the link is down by then, the next regular round does. */
  function watchValve(place: UnitContext): void {
    const { openUntil } = stateOf(place);
    if (openUntil === undefined) return;
    scheduler.add(clockTime(openUntil), (at) => {
      const { gatewayMac } = place.unit;
      if (!links.gateways.get(gatewayMac)?.isReady() || !speaks(place)) return;
      if (hasMoved(place, modelTime(at)))
        dispatch(itemMessages(links, gatewayMac, 'ipc', [movedItem(place, at)]));
    });
  }

  /** Changes a unit; what it then says is `report`'s business. */
  function change(mac: string, effect: (unit: UnitState, time: number) => UnitState): void {
    const place = placeAt(mac);
    if (!place) return;
    state.units[place.unit.mac] = effect(stateOf(place), modelTime(now()));
    watchValve(place);
  }

  /** `up/ipc` of a unit as it is now; `polled` when it was asked. */
  function report(mac: string, polled: boolean): Send[] {
    const place = placeAt(mac);
    if (!place || !speaks(place)) return [];
    const at = now();
    const item = itemAt(place, at);
    const sends = itemMessages(links, place.unit.gatewayMac, 'ipc', [
      polled ? { ...item, polledAt: item.at } : item,
    ]);
    // Counted as reported only when it is: an answer may get lost before.
    return sends.map((send) => () => {
      noteValve(place, at);
      return send();
    });
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

  return {
    start: (): void => farm.units.forEach(watchValve),
    /** The unit's place and state, if a unit of that address is on the farm. */
    find: (mac: string) => {
      const place = placeAt(mac);
      return place && { place: present(place), state: stateOf(place) };
    },
    isHeard: (mac: string): boolean => {
      const place = placeAt(mac);
      return place !== undefined && !isSilent(place);
    },
    macsOf: (gatewayMac: string): string[] =>
      farm.units.filter(({ unit }) => unit.gatewayMac === gatewayMac).map(addressOf),
    change,
    replace,
    report,
    reportRepeater: (mac: string): Send[] => {
      const found = farm.repeaters.find(({ profile }) => profile.mac === mac);
      if (!found) return [];
      const items = repeaterItems(found.profile, found.key, now());
      return itemMessages(links, found.profile.gatewayMac, 'repeater', items);
    },
    publishAll,
    publishDue,
  };
}
export type LiveUnits = ReturnType<typeof createLiveUnits>;
