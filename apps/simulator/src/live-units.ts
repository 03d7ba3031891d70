import type { IpcItem } from '@headrace/device/messages';
import type { RepeaterProfile } from '@headrace/demo/profile';
import { itemMessages, type Send } from './farm-links.ts';
import { repeaterWithFaults } from './faults/visible-faults.ts';
import { crossed, type LiveContext } from './live-context.ts';
import { valveMoves } from './models/valve-moves.ts';
import { isOpen, repeaterStatus, type UnitContext, type UnitState } from './models/sprinkler.ts';
import { createUnitItems } from './unit-items.ts';
import { createUnitPlaces } from './unit-places.ts';

const regularMs = 6 * 3_600_000;

/**
 * Sprinklers and repeaters: four times a day, each at its own minute, and whenever a valve has moved. Which
 * unit stands where is `createUnitPlaces`'s business.
 */
export function createLiveUnits(context: LiveContext) {
  const { farm, links, state, scheduler, faults, now, modelTime, clockTime, dispatch } = context;
  const places = createUnitPlaces(context);
  const { stateOf, addressOf, placeAt, present, isSilent, isListed, speaks } = places;
  const { hasMoved, itemAt, movedItem, noteValve } = createUnitItems(context, places);

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
    replace: places.replace,
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
