import type { IpcItem } from '@headrace/device/messages';
import { unitWithFaults } from './faults/visible-faults.ts';
import type { LiveContext } from './live-context.ts';
import { isOpen, type UnitContext, unitStatus } from './models/sprinkler.ts';
import type { UnitPlaces } from './unit-places.ts';

/** What sprinklers report, and how each valve was when it was last reported. */
export function createUnitItems(context: LiveContext, { stateOf, present }: UnitPlaces) {
  const { state, faults, modelTime, clockTime } = context;
  const openPlaces = new Set(state.openUnits);

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

  return { hasMoved, itemAt, movedItem, noteValve };
}
