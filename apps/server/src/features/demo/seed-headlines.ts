import { defaultSettings, headlineTypes } from '@headrace/contract/default-settings';
import { SETTINGS_VERSION } from '@headrace/contract/limits';
import type { FarmSettings, Headline } from '@headrace/contract/settings';
import type { FarmProfile, SensorProfile } from '@headrace/demo/profile';
import type { Db } from '../../db/client.ts';
import { createSettingsRepo } from '../settings/settings.repo.ts';

/** Owners see four headlines on each farm that has more than tanks, as somebody who looks every morning has chosen them. */
export async function seedHeadlines(
  db: Db,
  profiles: readonly FarmProfile[],
  accounts: ReadonlyMap<string, number>,
  farms: ReadonlyMap<string, number>,
  now: Date,
): Promise<void> {
  const full = profiles.filter(({ tankOnly }) => !tankOnly);
  for (const email of new Set(full.map(({ ownerEmail }) => ownerEmail))) {
    const settings: FarmSettings[] = [];
    for (const profile of full.filter(({ ownerEmail }) => ownerEmail === email))
      settings.push(await ofFarm(db, profile, farms.get(profile.key) ?? 0));
    const data = { ...defaultSettings, farms: settings };
    await createSettingsRepo(db).store(accounts.get(email) ?? 0, data, SETTINGS_VERSION, now);
  }
}

async function ofFarm(db: Db, profile: FarmProfile, farmId: number): Promise<FarmSettings> {
  const { uid } = await db
    .selectFrom('farm')
    .select('uid')
    .where('id', '=', farmId)
    .executeTakeFirstOrThrow();
  const devices = await db
    .selectFrom('device')
    .select(['uid', 'mac'])
    .where('farm_id', '=', farmId)
    .execute();
  const uidOf = new Map(devices.map((device) => [device.mac, device.uid]));
  return { info: { id: uid }, headlines: headlinesOf(profile.sensors, ({ mac }) => uidOf.get(mac) ?? '') };
}

/** The first tank, what the irrigation draws, what fell and what is to fall. */
function headlinesOf(
  sensors: readonly SensorProfile[],
  uidOf: (sensor: SensorProfile) => string,
): Headline[] {
  const first = (is: (model: SensorProfile['model']) => boolean) => {
    const found = sensors.find(({ model }) => is(model));
    return found ? [uidOf(found)] : [];
  };
  const chosen = [
    ...first(({ kind }) => kind === 'tank').map((sensor) => ['TankLevel', { sensor, unit: '%' }] as const),
    ...first((model) => model.kind === 'flow' && model.source === 'irrigation').map(
      (sensor) => ['Flow', { sensor, unit: 'lps' }] as const,
    ),
    ...first((model) => model.kind === 'soil' && model.hasRainGauge).map(
      (site) => ['RainfallAccumulated', { site, days: 6 }] as const,
    ),
    ['RainForecast', { days: 1 }] as const,
  ];
  return chosen.map(([type, configs], position) => ({ position, type: headlineTypes[type], configs }));
}
