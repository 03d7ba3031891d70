import type { IpcItem } from '@headrace/device/messages';
import { itemMessages } from './farm-links.ts';
import { crossed, type LiveContext } from './live-context.ts';
import { isOpen, repeaterStatus, type UnitContext, type UnitState, unitStatus } from './models/sprinkler.ts';

const regularMs = 6 * 3_600_000;

/** Sprinklers and repeaters: four times a day, each at its own minute, and whenever a valve has moved. */
export function createLiveUnits({ farm, links, state, modelTime, dispatch }: LiveContext) {
  const units = new Map(farm.units.map((context) => [context.unit.mac, context]));
  const openUnits = new Set<string>();

  function stateOf({ unit }: UnitContext): UnitState {
    return state.units[unit.mac] ?? {};
  }

  /** True when the valve is not as it was when last asked. */
  function hasMoved(context: UnitContext, time: number): boolean {
    const { mac } = context.unit;
    const open = isOpen(context, stateOf(context), time);
    if (open === openUnits.has(mac)) return false;
    if (open) openUnits.add(mac);
    else openUnits.delete(mac);
    return true;
  }

  /** A unit as it is now, or as it was at a time before. */
  function itemAt(context: UnitContext, at: number): IpcItem {
    return { ...unitStatus(context, stateOf(context), modelTime(at)), at: new Date(at).toISOString() };
  }

  function publish(timeOf: (key: number, context: UnitContext | null) => number | null): void {
    for (const { mac } of farm.profile.gateways) {
      const ipcs = farm.units.flatMap((context) => {
        if (context.unit.gatewayMac !== mac || context.unit.model.fault === 'silent') return [];
        const at = timeOf(context.key, context);
        return at === null ? [] : itemAt(context, at);
      });
      const repeaters = farm.repeaters.flatMap(({ profile, key }) => {
        const at = profile.gatewayMac === mac ? timeOf(key, null) : null;
        if (at === null) return [];
        return { ...repeaterStatus(profile, key, farm.env, modelTime(at)), at: new Date(at).toISOString() };
      });
      dispatch([
        ...itemMessages(links, mac, 'ipc', ipcs),
        ...itemMessages(links, mac, 'repeater', repeaters),
      ]);
    }
  }

  /** After a start every unit's last regular report is told again, so that the farm is complete at once. */
  function publishAll(at: number): void {
    for (const context of farm.units) hasMoved(context, modelTime(at));
    publish((key) => at - ((at - (key % regularMs)) % regularMs));
  }

  function publishDue(at: number, before: number): void {
    const time = modelTime(at);
    publish((key, context) => {
      const moved = context !== null && hasMoved(context, time);
      return moved || crossed(before, time, regularMs, key % regularMs) ? at : null;
    });
  }

  /** Changes units and tells at once how they are; `null` = they were only asked. */
  function change(
    macs: readonly string[],
    effect: ((unit: UnitState, time: number) => UnitState) | null,
    at: number,
  ): void {
    const items = new Map<string, IpcItem[]>();
    for (const mac of macs) {
      const context = units.get(mac);
      if (!context) continue;
      if (effect) state.units[mac] = effect(stateOf(context), modelTime(at));
      hasMoved(context, modelTime(at));
      const item = itemAt(context, at);
      const list = items.get(context.unit.gatewayMac) ?? [];
      list.push(effect ? item : { ...item, polledAt: item.at });
      items.set(context.unit.gatewayMac, list);
    }
    for (const [mac, list] of items) dispatch(itemMessages(links, mac, 'ipc', list));
  }

  return { units, publishAll, publishDue, change };
}
