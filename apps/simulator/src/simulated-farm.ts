import type { FarmProfile } from '@headrace/demo/profile';
import { createFarmModel, type FarmModel, isSilent } from './farm-model.ts';
import type { FarmLinks } from './farm-links.ts';
import { freshGateway } from './gateway/gateway-state.ts';
import { silentTankMs } from './history.ts';
import { type LinkOptions, openGateway } from './link/gateway-client.ts';
import type { GatewayLink } from './links.ts';
import type { RadioConditions } from './live-context.ts';
import { createLiveFarm, type LiveFarm } from './live-farm.ts';
import { openNetworkServer } from './lorawan/network-server-client.ts';
import { createSaver } from './saver.ts';
import type { StateStore } from './state-store.ts';
import { emptyLive, type FarmState, type LiveState } from './state.ts';

const dayMs = 86_400_000;
/** The least a farm is reckoned back, history or not, so that its levels and soils are not all fresh. */
const warmUpDays = 3;

export type SimulatedFarmOptions = {
  readonly seed: number;
  readonly speed: number;
  readonly backfillDays: number;
  readonly radio: RadioConditions;
  readonly store: StateStore;
  readonly link: LinkOptions;
};

export type SimulatedFarm = {
  readonly profile: FarmProfile;
  readonly model: FarmModel;
  readonly live: LiveFarm;
  readonly links: FarmLinks;
  readonly state: FarmState;
  /** Resolves when the state as it is now is in its file; rejects when it can't be written. */
  readonly save: () => Promise<void>;
  /** Says goodbye on all links; in silence it leaves that to the wills of its gateways, which is quicker. */
  readonly stop: (inSilence: boolean) => Promise<void>;
};

/** Wakes a farm as it was left, or makes one, and connects it. */
export async function startFarm(profile: FarmProfile, options: SimulatedFarmOptions): Promise<SimulatedFarm> {
  const { store, link, seed, speed, radio } = options;
  const model = createFarmModel(profile, seed);
  const kept = await store.load(profile.key);
  const state = kept ?? (await freshState(model, options));
  // Kept at once: a kill in the first seconds must not begin another history.
  if (!kept) await store.save(profile.key, state);
  const gateways = new Map<string, GatewayLink>();
  const links: FarmLinks = { gateways, networkServer: openNetworkServer(profile, link) };
  const save = createSaver(() => store.save(profile.key, { ...state, live: live.snapshot() }), link.log);
  const live = createLiveFarm({
    farm: model,
    links,
    state: state.live,
    scheduler: link.scheduler,
    speed,
    now: Date.now,
    radio,
    persist: save,
    log: link.log,
  });
  for (const gateway of profile.gateways) {
    const simulated = live.gateways.get(gateway.mac);
    if (simulated)
      gateways.set(
        gateway.mac,
        openGateway({ ...link, gateway, about: simulated.about, onDown: simulated.handle }),
      );
  }
  live.start();
  const stop = async (inSilence: boolean): Promise<void> => {
    const all = [...gateways.values(), ...(links.networkServer ? [links.networkServer] : [])];
    await Promise.all(all.map((one) => one.stop(inSilence)));
  };
  return { profile, model, live, links, state, save, stop };
}

/** Reckons the whole history once without telling it: live readings start where history will end. */
async function freshState(farm: FarmModel, options: SimulatedFarmOptions): Promise<FarmState> {
  const { seed, backfillDays } = options;
  const end = Date.now();
  const from = end - Math.max(backfillDays, warmUpDays) * dayMs;
  const { sensors, reportedAt } = startSensors(farm, from, end);
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
    live: { ...emptyLive(), sensors, reportedAt, gateways: newGateways(farm.profile, options, end) },
  };
}

/** One that was just installed by hand knows no units: it is sent its list. */
function newGateways(farm: FarmProfile, { link }: SimulatedFarmOptions, now: number): LiveState['gateways'] {
  const installed = farm.gateways.filter(({ mac }) => link.keys.has(mac));
  return Object.fromEntries(
    installed.map((gateway) => [gateway.mac, { ...freshGateway(farm, gateway, now), list: null }]),
  );
}

function startSensors(farm: FarmModel, from: number, end: number): Pick<LiveState, 'sensors' | 'reportedAt'> {
  const sensors: LiveState['sensors'] = {};
  const reportedAt: LiveState['reportedAt'] = {};
  for (const sensor of farm.sensors) {
    const { mac } = sensor.profile;
    sensors[mac] = sensor.model.start(from);
    reportedAt[mac] = isSilent(sensor) ? end - 2 * silentTankMs : end;
  }
  return { sensors, reportedAt };
}
