import { createLiveContext, crossed, type LiveFarmOptions } from './live-context.ts';
import { createLiveGateways, statusEveryMs } from './live-gateways.ts';
import { createLiveSensors } from './live-sensors.ts';
import { createLiveUnits } from './live-units.ts';
import type { LiveState } from './state-store.ts';

export type LiveFarm = ReturnType<typeof createLiveFarm>;

/** A farm from now on: sensors by themselves, all else with the farm's minute. */
export function createLiveFarm(options: LiveFarmOptions) {
  const context = createLiveContext(options);
  const { links, state, scheduler, now, modelTime } = context;
  const sensors = createLiveSensors(context);
  const units = createLiveUnits(context);
  const gateways = createLiveGateways(context);
  const tickMs = Math.max(1000, 60_000 / context.speed);

  function isOnline(): boolean {
    return [...links.gateways.values()].every((link) => link.isReady());
  }

  function firstTick(at: number): void {
    const online = isOnline();
    scheduler.add(at + (online ? tickMs : 1000), online ? tick : firstTick);
    if (!online) return;
    units.publishAll(at);
    gateways.publishAll(at);
    state.tickedAt = modelTime(at);
  }

  function tick(at: number): void {
    scheduler.add(at + tickMs, tick);
    // What would have been due meanwhile is told when all are back.
    if (!isOnline()) return;
    units.publishDue(at, state.tickedAt);
    if (crossed(state.tickedAt, modelTime(at), statusEveryMs, 0)) gateways.publishAll(at);
    else gateways.publishChanged(at);
    state.tickedAt = modelTime(at);
  }

  return {
    start: (): void => {
      const at = now();
      sensors.start(at);
      scheduler.add(at + 1000, firstTick);
    },
    units: units.units,
    sensors: sensors.sensors,
    changeUnits: units.change,
    setPumpControl: sensors.setPumpControl,
    setRelay: gateways.setRelay,
    publishStatus: gateways.publishStatus,
    /** The state as it stands, to be kept. */
    snapshot: (): LiveState => ({ ...state, aheadMs: modelTime(now()) - now() }),
    listRev: (mac: string): number => state.listRevs[mac] ?? 0,
    setListRev: (mac: string, rev: number): void => {
      state.listRevs[mac] = rev;
    },
  };
}
