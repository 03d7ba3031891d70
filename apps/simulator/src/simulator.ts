import type { FarmProfile, GatewayProfile } from '@headrace/demo/profile';
import { runBackfill } from './backfill.ts';
import { createCommandHandler } from './commands.ts';
import { createFarmModel, type FarmModel, isSilent } from './farm-model.ts';
import type { FarmLinks } from './farm-links.ts';
import { openGateway } from './gateway-client.ts';
import { silentTankMs, type SensorStates } from './history.ts';
import type { GatewayLink } from './links.ts';
import { createLiveFarm, type LiveFarm } from './live-farm.ts';
import type { Log } from './mqtt-link.ts';
import { openNetworkServer } from './network-server-client.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import type { FarmState, StateStore } from './state-store.ts';

const dayMs = 86_400_000;
/** The least a farm is reckoned back, history or not, so that its levels and soils are not all fresh. */
const warmUpDays = 3;

export type SimulatorOptions = {
  readonly url: string;
  readonly secret: string;
  readonly farms: readonly FarmProfile[];
  readonly seed: number;
  readonly speed: number;
  readonly backfillDays: number;
  readonly store: StateStore;
  readonly log: Log;
  readonly ackDelayMs?: number;
  readonly checkpointEveryMs?: number;
};

export type Simulator = {
  /** Settles when all history has been acknowledged, or the simulator stops. */
  readonly history: Promise<void>;
  readonly stop: () => Promise<void>;
};

type Running = { farm: FarmModel; live: LiveFarm; links: FarmLinks; state: FarmState };

/** Brings farms to life: live readings first, history behind them, farm by farm. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { store, log, checkpointEveryMs = 30_000 } = options;
  const scheduler = createScheduler(Date.now);
  const running: Running[] = [];
  let stopped = false;
  for (const profile of options.farms) {
    running.push(await startFarm(profile, options, scheduler));
    // A broker that meets a thousand gateways at once serves none of them well.
    if (options.farms.length > 20) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  const saveAll = async (): Promise<void> => {
    for (const { farm, live, state } of running) {
      state.live = live.snapshot();
      await store.save(farm.profile.key, state);
    }
  };
  const saver = createSaver(saveAll, checkpointEveryMs, log);

  async function publishHistory(): Promise<void> {
    for (const { farm, links, state } of running) {
      if (!state.backfill || stopped) continue;
      log.info({ farm: farm.profile.name }, 'publishing history');
      const checkpointed = async (backfill: FarmState['backfill']) => {
        state.backfill = backfill;
        await saver.save();
      };
      const { items } = await runBackfill({
        farm,
        links,
        state: state.backfill,
        checkpoint: checkpointed,
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
    stop: async () => {
      stopped = true;
      scheduler.stop();
      await saver.stop();
      const links = running.flatMap((one) =>
        [...one.links.gateways.values(), one.links.networkServer ?? []].flat(),
      );
      await Promise.all(links.map((link) => link.stop()));
      await history;
    },
  };
}

/** One save at a time, now and then and when asked. */
function createSaver(saveAll: () => Promise<void>, everyMs: number, log: Log) {
  let last: Promise<void> = Promise.resolve();
  const save = (): Promise<void> => {
    last = last
      .then(saveAll)
      .catch((error: unknown) => log.warn({ reason: String(error) }, 'state not saved'));
    return last;
  };
  const timer = setInterval(() => void save(), everyMs);
  return {
    save,
    stop: async (): Promise<void> => {
      clearInterval(timer);
      await save();
    },
  };
}

async function startFarm(
  profile: FarmProfile,
  options: SimulatorOptions,
  scheduler: Scheduler,
): Promise<Running> {
  const { url, secret, log } = options;
  const farm = createFarmModel(profile, options.seed);
  const kept = await options.store.load(profile.key);
  const state = kept ?? (await freshState(farm, options));
  // Kept at once: a kill in the first seconds must not begin another history.
  if (!kept) await options.store.save(profile.key, state);
  const gateways = new Map<string, GatewayLink>();
  const links: FarmLinks = { gateways, networkServer: openNetworkServer(profile, url, secret, log) };
  const live = createLiveFarm({
    farm,
    links,
    state: state.live,
    scheduler,
    speed: options.speed,
    now: Date.now,
    log,
  });
  const bootId = Date.now().toString(36);
  for (const gateway of profile.gateways)
    gateways.set(gateway.mac, openOne(gateway, gateways, live, bootId, options, scheduler));
  live.start();
  return { farm, live, links, state };
}

function openOne(
  gateway: GatewayProfile,
  gateways: ReadonlyMap<string, GatewayLink>,
  live: LiveFarm,
  bootId: string,
  options: SimulatorOptions,
  scheduler: Scheduler,
): GatewayLink {
  const { url, secret, log, ackDelayMs = 1500 } = options;
  const link = () => gateways.get(gateway.mac);
  const handler = createCommandHandler({ gateway, link, live, scheduler, now: Date.now, ackDelayMs, log });
  return openGateway({
    url,
    secret,
    gateway,
    bootId,
    listRev: () => live.listRev(gateway.mac),
    onDown: handler.handle,
    log,
  });
}

/** Reckons the whole history once without telling it: live readings start where history will end. */
async function freshState(farm: FarmModel, { seed, backfillDays }: SimulatorOptions): Promise<FarmState> {
  const end = Date.now();
  const from = end - Math.max(backfillDays, warmUpDays) * dayMs;
  const sensors: SensorStates = {};
  const reportedAt: Record<string, number> = {};
  for (const sensor of farm.sensors) {
    const { mac } = sensor.profile;
    sensors[mac] = sensor.model.start(from);
    reportedAt[mac] = isSilent(sensor) ? end - 2 * silentTankMs : end;
  }
  for (let at = from; at < end; at += dayMs) {
    for (const sensor of farm.sensors) {
      const { mac } = sensor.profile;
      const until = Math.min(isSilent(sensor) ? end - silentTankMs : end, at + dayMs);
      const state = sensors[mac];
      if (state) sensors[mac] = sensor.model.advance(state, until);
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  return {
    version: 1,
    seed,
    backfill: backfillDays > 0 ? { from, end, stage: 0, until: from, sensors: {} } : null,
    live: { aheadMs: 0, sensors, reportedAt, units: {}, tickedAt: end, listRevs: {}, relays: {} },
  };
}
