import type { SensorValues } from '@headrace/device/metrics';
import { turnsOf } from '@headrace/demo/irrigation-plan';
import type { FarmProfile, FlowModel, SensorProfile, SoilModel, TankModel } from '@headrace/demo/profile';
import { hash32 } from '@headrace/demo/random';
import { batteryVolts, isCharging, startCharge, stepCharge } from './models/battery.ts';
import { demandLpm } from './models/demand.ts';
import type { Environment } from './models/environment.ts';
import { clamp, noiseAt, rounded, smoothNoise } from './models/noise.ts';
import { type SoilState, startSoil, stepSoil, tensionKpa } from './models/soil.ts';
import { startTank, stepTank, type TankRates, type TankState } from './models/tank.ts';
import { slotMs } from './models/weather.ts';

/** A sensor with the thing it measures. `at` is how far it has been reckoned; plain data, so that it can be kept in a file. */
export type SensorState =
  | { readonly kind: 'tank'; readonly at: number; readonly tank: TankState; readonly charge: number }
  | { readonly kind: 'flow'; readonly at: number; readonly litres: number; readonly extraLeakLpm?: number }
  | { readonly kind: 'soil'; readonly at: number; readonly soil: SoilState };

/** `level`: what old history keeps; `battery`: that and the battery; `full`: all the sensor says. */
export type Detail = 'level' | 'battery' | 'full';

export type SensorModel = {
  readonly start: (at: number) => SensorState;
  /** Pure. Rates change every ten minutes and are constant between, so it makes no difference in how many steps one gets there. */
  readonly advance: (state: SensorState, to: number) => SensorState;
  readonly observe: (state: SensorState, detail: Detail) => SensorValues;
};

const minuteMs = 60_000;
const hourMs = 3_600_000;

export function createSensorModel(profile: SensorProfile, farm: FarmProfile, env: Environment): SensorModel {
  const key = hash32(`${env.seed}:${profile.mac}`);
  const { model } = profile;
  switch (model.kind) {
    case 'tank':
      return tankSensor(profile, model, env, key);
    case 'flow':
      return flowSensor(profile, model, farm, env, key);
    case 'soil':
      return soilSensor(model, farm, env, key);
    default:
      return model satisfies never;
  }
}

/** Calls `step` for every stretch of constant rates between two times. */
function overSlots(from: number, to: number, step: (at: number, ms: number) => void): void {
  let at = from;
  while (at < to) {
    const end = Math.min(to, (Math.floor(at / slotMs) + 1) * slotMs);
    step(at, end - at);
    at = end;
  }
}

function drawn(
  use: TankModel['use'],
  litresPerDay: number,
  env: Environment,
  key: number,
  at: number,
): number {
  const middle = (Math.floor(at / slotMs) + 0.5) * slotMs;
  const { day, hour, month } = env.local(middle);
  return demandLpm({
    use,
    litresPerDay,
    hour,
    month,
    slotChance: noiseAt(key, Math.floor(at / slotMs)),
    dayChance: noiseAt(key ^ 0x51ed270b, day),
  });
}

function tankSensor(profile: SensorProfile, model: TankModel, env: Environment, key: number): SensorModel {
  const { volume = 30_000 } = profile.settings;

  function ratesAt(at: number, tank: TankState): TankRates {
    const { hour } = env.local(at);
    const { supply } = model;
    const isNight = hour >= 22 || hour < 6;
    const hours = supply.kind === 'ballcock' ? supply.hours : undefined;
    return {
      demandLpm: drawn(model.use, model.litresPerDay, env, key, at),
      leakLpm:
        (model.leakAtNightOnly && !isNight ? 0 : model.leakLitresPerHour / 60) + (tank.extraLeakLpm ?? 0),
      // A tenth is lost in first flush and splash.
      otherInLpm:
        (supply.kind === 'roof' ? (supply.roofM2 * env.weather(at).rainMmPerHour * 0.9) / 60 : 0) +
        (tank.relayLpm ?? 0),
      mainOn: !hours || (hour >= hours[0] && hour < hours[1]),
    };
  }

  function advance(state: SensorState, to: number): SensorState {
    if (state.kind !== 'tank') throw new TypeError(`${profile.name} is a tank`);
    let { tank, charge } = state;
    overSlots(state.at, to, (at, ms) => {
      tank = stepTank(tank, ms / minuteMs, ratesAt(at, tank), volume, model.supply);
      charge = stepCharge(model.battery, charge, ms / hourMs, env.weather(at).sun);
    });
    return { kind: 'tank', at: Math.max(state.at, to), tank, charge };
  }

  return {
    start: (at) => ({ kind: 'tank', at, tank: startTank(volume, model), charge: startCharge(model.battery) }),
    advance,
    observe: (state, detail) => {
      if (state.kind !== 'tank') throw new TypeError(`${profile.name} is a tank`);
      const level = { levelMm: levelMm(profile, model, state, key) };
      if (detail === 'level') return level;
      const power = batteryValues(model, state, env);
      if (detail === 'battery')
        return { ...level, ...(power.batteryV !== undefined && { batteryV: power.batteryV }) };
      const meter = profile.settings.enabledFlow
        ? meterValues(profile, model, state, ratesAt(state.at, state.tank))
        : {};
      return { ...level, ...power, ...meter, ...pumpValues(state.tank, volume) };
    },
  };
}

type TankAt = SensorState & { kind: 'tank' };

/** mm above the diaphragm: nothing is seen below it, waves make a millimetre or two. `null` while the probe is at fault. */
function levelMm(profile: SensorProfile, model: TankModel, state: TankAt, key: number): number | null {
  const twoHours = Math.floor(state.at / (2 * hourMs));
  if (model.fault === 'invalid-levels' && noiseAt(key ^ 0x2c1b3c6d, twoHours) < 0.2) return null;
  const { volume = 30_000, toplevel = 2500, offset = 0 } = profile.settings;
  const depth = (state.tank.litres / volume) * toplevel;
  const waves = 3 * (noiseAt(key ^ 0x297a2d39, Math.floor(state.at / 1000)) - 0.5);
  return Math.round(clamp(depth - offset + waves, 0, toplevel - offset));
}

function batteryValues(model: TankModel, state: TankAt, env: Environment): SensorValues {
  const { sun, temperatureC } = env.weather(state.at);
  const batteryV = batteryVolts(model.battery, state.charge, sun, temperatureC);
  if (batteryV === null) return {};
  const charging = isCharging(model.battery, state.charge, sun);
  // Lithium cells are not charged below freezing.
  return { batteryV, charging, fault: charging && temperatureC < 0 };
}

function meterValues(
  profile: SensorProfile,
  { supply }: TankModel,
  { tank }: TankAt,
  rates: TankRates,
): SensorValues {
  const { flowDirection = 1, litrePerPulse = 1 } = profile.settings;
  const out = tank.litres > 1 ? rates.demandLpm + rates.leakLpm : 0;
  const supplied = tank.supplyOn && supply.kind !== 'roof' ? supply.litresPerMinute : 0;
  const into = supplied + (tank.relayLpm ?? 0);
  const measured = flowDirection === 1 ? tank.drawnLitres + tank.leakedLitres : tank.inLitres;
  return {
    flowLpm: rounded(flowDirection === 1 ? out : into, 1),
    flowDirection,
    pulsesTotal: Math.floor(measured / litrePerPulse),
  };
}

function pumpValues(tank: TankState, volume: number): SensorValues {
  if (!tank.pumpControl) return {};
  return { ...tank.pumpControl, relayState: tank.supplyOn, inputState: tank.litres >= 0.97 * volume };
}

/** Water that a relay's valve lets into a tank, L/min: as much as its own supply, or what a 25 mm pipe brings. */
export function relayLpm({ model }: SensorProfile): number {
  return model.kind === 'tank' && model.supply.kind !== 'roof' ? model.supply.litresPerMinute : 40;
}

/** The tank with its relay's valve open or shut; others as they are. */
export function withRelay(state: SensorState, litresPerMinute: number): SensorState {
  return state.kind === 'tank' ? { ...state, tank: { ...state.tank, relayLpm: litresPerMinute } } : state;
}

/** The tank or the pipe with another leak; 0 mends it. */
export function withLeak(state: SensorState, litresPerMinute: number): SensorState {
  switch (state.kind) {
    case 'tank':
      return { ...state, tank: { ...state.tank, extraLeakLpm: litresPerMinute } };
    case 'flow':
      return { ...state, extraLeakLpm: litresPerMinute };
    case 'soil':
      return state;
    default:
      return state satisfies never;
  }
}

/** The meter at zero; `null` when the sensor has none. */
export function withMeterReset(state: SensorState): SensorState | null {
  switch (state.kind) {
    case 'tank':
      return { ...state, tank: { ...state.tank, inLitres: 0, drawnLitres: 0, leakedLitres: 0 } };
    case 'flow':
      return { ...state, litres: 0 };
    case 'soil':
      return null;
    default:
      return state satisfies never;
  }
}

/** The tank with other setpoints; `null` when it has no pump to set. */
export function withPumpControl(
  state: SensorState,
  control: NonNullable<TankState['pumpControl']>,
): SensorState | null {
  if (state.kind !== 'tank' || !state.tank.pumpControl) return null;
  return { ...state, tank: { ...state.tank, pumpControl: control } };
}

function flowSensor(
  profile: SensorProfile,
  model: FlowModel,
  farm: FarmProfile,
  env: Environment,
  key: number,
): SensorModel {
  const { litrePerPulse = 1 } = profile.settings;
  const lines = linesOf(farm);
  const usedAt = (at: number): number => {
    if (model.source === 'stock') return drawn('stock', model.litresPerDay, env, key, at);
    const middle = (Math.floor(at / slotMs) + 0.5) * slotMs;
    let wanted = 0;
    for (const [group, lpmOf] of lines) wanted += lpmOf.get(env.watering.turnAt(group, middle) ?? -1) ?? 0;
    return wanted * (0.97 + 0.06 * noiseAt(key, Math.floor(at / slotMs)));
  };
  const rateAt = (at: number): number => usedAt(at) + model.leakLitresPerHour / 60;
  return {
    start: (at) => ({ kind: 'flow', at, litres: 0 }),
    advance: (state, to) => {
      if (state.kind !== 'flow') throw new TypeError(`${profile.name} is a flow meter`);
      const { extraLeakLpm = 0 } = state;
      let { litres } = state;
      overSlots(state.at, to, (at, ms) => {
        litres += ((rateAt(at) + extraLeakLpm) * ms) / minuteMs;
      });
      return { ...state, at: Math.max(state.at, to), litres };
    },
    observe: (state) => {
      if (state.kind !== 'flow') throw new TypeError(`${profile.name} is a flow meter`);
      const { extraLeakLpm = 0 } = state;
      return {
        flowLpm: rounded(rateAt(state.at) + extraLeakLpm, 1),
        pulsesTotal: Math.floor(state.litres / litrePerPulse),
      };
    },
  };
}

/** By group, what each of its turns draws, L/min. */
function linesOf({ sprinklers }: FarmProfile): Map<string, Map<number, number>> {
  const turns = turnsOf(sprinklers);
  const lines = new Map<string, Map<number, number>>();
  for (const { mac, group, litresPerSecond, model } of sprinklers) {
    const turn = turns.get(mac);
    if (turn === undefined || model.fault === 'stuck') continue;
    const line = lines.get(group) ?? new Map<number, number>();
    lines.set(group, line.set(turn, litresPerSecond * 60));
  }
  return lines;
}

/** mm that one watering brings. */
const wateringMm = 5;

function soilSensor(model: SoilModel, farm: FarmProfile, env: Environment, key: number): SensorModel {
  const group = farm.irrigation?.groups[key % farm.irrigation.groups.length];
  const perHour = farm.irrigation ? (wateringMm * 60) / farm.irrigation.minutes : 0;
  const step = (soil: SoilState, at: number, ms: number): SoilState => {
    const { rainMmPerHour, etMmPerHour } = env.weather(at);
    const middle = (Math.floor(at / slotMs) + 0.5) * slotMs;
    // It stands where the second of its line throws.
    const isWatered = model.irrigated && group !== undefined && env.watering.turnAt(group, middle) === 1;
    return stepSoil(soil, ms / hourMs, {
      rainMmPerHour,
      etMmPerHour,
      irrigationMmPerHour: isWatered ? perHour : 0,
    });
  };
  return {
    start: (at) => ({ kind: 'soil', at, soil: startSoil() }),
    advance: (state, to) => {
      if (state.kind !== 'soil') throw new TypeError('this is a soil site');
      let { soil } = state;
      overSlots(state.at, to, (at, ms) => {
        soil = step(soil, at, ms);
      });
      return { kind: 'soil', at: Math.max(state.at, to), soil };
    },
    observe: (state) => {
      if (state.kind !== 'soil') throw new TypeError('this is a soil site');
      const { topMm, deepMm, rainMm } = state.soil;
      return {
        swp1Kpa: tensionKpa(model.soil, topMm),
        swp2Kpa: tensionKpa(model.soil, deepMm * 0.8),
        temperatureC: soilTemperature(env, key, state.at),
        ...(model.hasRainGauge && { rainTipsTotal: Math.floor(rainMm / 0.2) }),
      };
    },
  };
}

/** 10 cm down: the air of four hours ago, pulled towards the mean of the last day. */
function soilTemperature(env: Environment, key: number, at: number): number {
  const lagged = env.weather(at - 4 * hourMs).temperatureC;
  const mean =
    [6, 12, 18, 24].reduce((sum, hours) => sum + env.weather(at - hours * hourMs).temperatureC, 0) / 4;
  return rounded(0.35 * lagged + 0.65 * mean + 0.4 * (smoothNoise(key, at / hourMs) - 0.5), 1);
}
