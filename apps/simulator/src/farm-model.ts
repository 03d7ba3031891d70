import { inhibitedCrc, scheduleCrc, type ScheduleEntry } from '@headrace/device/schedule-crc';
import { cycleDays, scheduleEntries } from '@headrace/demo/irrigation-plan';
import { metresBetween } from '@headrace/demo/geo';
import type { FarmProfile, RepeaterProfile, SensorProfile, SprinklerProfile } from '@headrace/demo/profile';
import { hash32 } from '@headrace/demo/random';
import { createEnvironment, type Environment } from './models/environment.ts';
import { noiseAt } from './models/noise.ts';
import type { UnitContext } from './models/sprinkler.ts';
import { createSensorModel, type SensorModel } from './sensor-model.ts';

export type Sensor = { readonly profile: SensorProfile; readonly model: SensorModel; readonly key: number };
type Repeater = { readonly profile: RepeaterProfile; readonly key: number };

/** A farm ready to be reckoned: nothing here changes. */
export type FarmModel = {
  readonly profile: FarmProfile;
  readonly env: Environment;
  readonly sensors: readonly Sensor[];
  readonly units: readonly UnitContext[];
  readonly repeaters: readonly Repeater[];
};

export function createFarmModel(profile: FarmProfile, seed: number): FarmModel {
  const env = createEnvironment(profile, seed);
  const held = scheduleEntries(profile);
  const keyOf = (mac: string) => hash32(`${env.seed}:${mac}:radio`);
  return {
    profile,
    env,
    sensors: profile.sensors.map((sensor) => ({
      profile: sensor,
      model: createSensorModel(sensor, profile, env),
      key: keyOf(sensor.mac),
    })),
    units: profile.sprinklers.map((unit) => ({
      unit,
      env,
      key: keyOf(unit.mac),
      planned: plannedBy(held.get(unit.mac) ?? []),
      ...viaOf(profile, unit),
    })),
    repeaters: profile.repeaters.map((repeater) => ({ profile: repeater, key: keyOf(repeater.mac) })),
  };
}

/** Sprinklers so near to a repeater are heard through it. */
const REPEATER_M = 250;

/** The nearest repeater of the same gateway. */
function viaOf({ repeaters }: FarmProfile, unit: SprinklerProfile): { via?: string } {
  const near = repeaters
    .filter(({ gatewayMac }) => gatewayMac === unit.gatewayMac)
    .map((repeater) => ({ mac: repeater.mac, metres: metresBetween(repeater, unit) }))
    .filter(({ metres }) => metres <= REPEATER_M)
    .toSorted((one, other) => one.metres - other.metres);
  return near[0] ? { via: near[0].mac } : {};
}

const plannedBy = (entries: readonly ScheduleEntry[]): UnitContext['planned'] => ({
  crc: entries.length > 0 ? scheduleCrc(entries) : inhibitedCrc,
  entries,
  cycleLength: cycleDays,
});

const hourMs = 3_600_000;

/** Radio: single messages get lost, and on some days a device isn't heard for an hour or five. The same for the same device and minute. */
export function isLost({ profile, key }: Sensor, at: number): boolean {
  const { radioLoss } = profile.model;
  if (noiseAt(key, Math.floor(at / 60_000)) < radioLoss) return true;
  const day = Math.floor(at / (24 * hourMs));
  if (noiseAt(key ^ 0x3f84d5b5, day) > radioLoss * 1.5) return false;
  const start = day * 24 + 19 * noiseAt(key ^ 0x68e31da4, day);
  const length = 1 + 4 * noiseAt(key ^ 0x1b56c4e9, day);
  return at / hourMs >= start && at / hourMs < start + length;
}

export function isSilent({ profile }: Sensor): boolean {
  return profile.model.kind === 'tank' && profile.model.fault === 'silent';
}
