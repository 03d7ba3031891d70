import type { FarmProfile } from '@headrace/demo/profile';
import { createWatering, type Watering } from './irrigation.ts';
import { createLocalClock, type LocalTime } from './local-time.ts';
import { createWeather, type Weather } from './weather.ts';

/** What all devices of a farm share: its sky, its clock and which sprinkler of a group has its turn. Pure functions of time. */
export type Environment = {
  readonly seed: string;
  readonly weather: (at: number) => Weather;
  readonly local: (at: number) => LocalTime;
  readonly watering: Watering;
};

export function createEnvironment(profile: FarmProfile, seed: number): Environment {
  const ownSeed = `${seed}:${profile.key}`;
  const weather = createWeather(profile.climate, profile.location, ownSeed);
  const local = createLocalClock(profile.timeZone);
  return { seed: ownSeed, weather, local, watering: createWatering(profile.irrigation, local) };
}
