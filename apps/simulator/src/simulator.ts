import type { FarmProfile } from '@headrace/demo/profile';
import { runBackfill } from './backfill.ts';
import { createFarmControl } from './control/farm-control.ts';
import { startControlServer } from './control/control-server.ts';
import { createConnectGate } from './link/connect-gate.ts';
import type { LinkOptions } from './link/gateway-client.ts';
import type { RadioConditions } from './live-context.ts';
import { type Log, quieter } from './log.ts';
import { createScheduler } from './scheduler.ts';
import { type SimulatedFarm, startFarm } from './simulated-farm.ts';
import type { StateStore } from './state-store.ts';
import type { FarmState } from './state.ts';

/** Connections made at the same time. */
const connectingAtOnce = 50;
/** Farms whose files are written at the same time when all are. */
const savingAtOnce = 16;
/** Files written a second at most: what commands change is written at once, this is for levels and batteries. */
const savesPerSecond = 5;
/** Stopping takes no longer, whatever disk and broker do; what can't be saved by then was saved a while ago. */
const saveWithinMs = 600;
const stopWithinMs = 1800;

export type SimulatorOptions = {
  readonly url: string;
  readonly secret: string;
  /** Of gateways that weren't made by the demo, by MAC address; these begin without a list of units. */
  readonly keys?: ReadonlyMap<string, string>;
  readonly farms: readonly FarmProfile[];
  readonly seed: number;
  readonly speed: number;
  readonly backfillDays: number;
  readonly store: StateStore;
  readonly log: Log;
  readonly radio: RadioConditions;
  /** `null` or absent = none; 0 = a free one. */
  readonly controlPort?: number | null;
  readonly checkpointEveryMs?: number;
};

export type Simulator = {
  /** Settles when all history has been acknowledged, or the simulator stops. */
  readonly history: Promise<void>;
  readonly controlPort: number | null;
  /** Saves and says goodbye, in 2 seconds at most. */
  readonly stop: () => Promise<void>;
};

/** Brings farms to life: live readings first, history behind them, farm by farm. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { log, url, secret, keys = new Map(), checkpointEveryMs = 30_000 } = options;
  const scheduler = createScheduler(Date.now);
  const isMany = options.farms.length > 20;
  const link: LinkOptions = {
    url,
    secret,
    keys,
    scheduler,
    gate: createConnectGate(connectingAtOnce),
    log: isMany ? quieter(log, Date.now) : log,
  };
  const running: SimulatedFarm[] = [];
  const control =
    typeof options.controlPort === 'number'
      ? await startControlServer(options.controlPort, createFarmControl(running, Date.now))
      : null;
  let stopped = false;
  const saveEveryMs = Math.max(checkpointEveryMs, (options.farms.length / savesPerSecond) * 1000);
  for (const profile of options.farms) {
    const farm = await startFarm(profile, { ...options, link });
    running.push(farm);
    saveRegularly(farm, running.length);
  }

  /** Each farm at its own moment. */
  function saveRegularly(farm: SimulatedFarm, number: number): void {
    const every = (at: number): void => {
      farm.save().catch(() => undefined);
      scheduler.add(at + saveEveryMs, every);
    };
    scheduler.add(Date.now() + saveEveryMs * (0.5 + (number / options.farms.length) * 0.5), every);
  }

  async function publishHistory(): Promise<void> {
    for (const farm of running) {
      const { backfill } = farm.state;
      if (!backfill || stopped) continue;
      log.info({ farm: farm.profile.name }, 'publishing history');
      const { items } = await runBackfill({
        farm: farm.model,
        links: farm.links,
        state: backfill,
        checkpoint: async (reached: FarmState['backfill']) => {
          farm.state.backfill = reached;
          await farm.save();
        },
        checkpointEveryMs,
        isStopped: () => stopped,
      });
      log.info({ farm: farm.profile.name, items }, stopped ? 'history interrupted' : 'history published');
    }
  }

  const history = publishHistory().catch((error: unknown) => {
    if (!stopped) log.warn({ reason: String(error) }, 'history failed');
  });

  return {
    history,
    controlPort: control?.port ?? null,
    stop: async () => {
      stopped = true;
      control?.stop();
      scheduler.stop();
      const end = async (): Promise<void> => {
        await Promise.race([saveAll(running), after(saveWithinMs)]);
        await Promise.all(running.map((farm) => farm.stop(isMany)));
        await history;
      };
      await Promise.race([end(), after(stopWithinMs)]);
    },
  };
}

async function saveAll(farms: readonly SimulatedFarm[]): Promise<void> {
  const left = [...farms];
  const work = async (): Promise<void> => {
    for (let farm = left.pop(); farm; farm = left.pop()) await farm.save().catch(() => undefined);
  };
  await Promise.all(Array.from({ length: savingAtOnce }, work));
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
