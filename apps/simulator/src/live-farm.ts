import { startDailyTroubles } from './faults/daily-troubles.ts';
import { createFaults } from './faults/faults.ts';
import type { FaultKind } from './faults/fault-kinds.ts';
import { createGateway, type Gateway } from './gateway/gateway.ts';
import { createLiveContext, type LiveFarmOptions } from './live-context.ts';
import { createLiveSensors } from './live-sensors.ts';
import { createLiveUnits } from './live-units.ts';
import { withLeak } from './sensor-model.ts';
import type { LiveState } from './state.ts';

export type LiveFarm = ReturnType<typeof createLiveFarm>;

/** A farm from now on: sensors by themselves, all else with the farm's minute. */
export function createLiveFarm(options: LiveFarmOptions) {
  const { farm, state, scheduler, persist } = options;
  const faults = createFaults(state.faults, scheduler, onFault);
  const context = createLiveContext(options, faults);
  const { now, modelTime } = context;
  const gateways = new Map<string, Gateway>();
  const sensors = createLiveSensors(context, (mac, levelMm) => {
    for (const gateway of gateways.values()) gateway.onLevel(mac, levelMm);
  });
  const units = createLiveUnits(context);
  for (const gateway of farm.profile.gateways)
    gateways.set(gateway.mac, createGateway(context, gateway, units, sensors));
  const tickMs = Math.max(1000, 60_000 / context.speed);

  function tick(at: number): void {
    for (const gateway of gateways.values()) gateway.tick(at);
    const allReported = [...gateways.values()].every((gateway) => gateway.hasReported());
    // Until everyone is there, once a second: the farm should be complete soon.
    scheduler.add(at + (allReported ? tickMs : 1000), tick);
  }

  /** What begins or ends shows at once. */
  function onFault(mac: string, kind: FaultKind): void {
    if (kind === 'leak')
      sensors.change(mac, (before) => withLeak(before, (faults.get(mac, kind)?.value ?? 0) / 60));
    gateways.get(mac)?.onFault(kind);
    context.dispatch([
      ...units.report(mac, false),
      ...units.reportRepeater(mac),
      ...(kind === 'radio-loss' ? [] : sensors.reportNow(sensors.find(mac))),
    ]);
    persist().catch(() => undefined);
  }

  return {
    start: (): void => {
      const at = now();
      sensors.start(at);
      units.start();
      for (const gateway of gateways.values()) gateway.resume();
      for (const { mac } of farm.profile.gateways)
        if (faults.get(mac, 'gateway-down')) gateways.get(mac)?.onFault('gateway-down');
      scheduler.add(at + 1000, tick);
      startDailyTroubles(farm.profile, faults, scheduler, at);
    },
    gateways,
    units,
    sensors,
    faults,
    /** The state as it stands, to be kept. */
    snapshot: (): LiveState => ({ ...state, aheadMs: modelTime(now()) - now() }),
  };
}
