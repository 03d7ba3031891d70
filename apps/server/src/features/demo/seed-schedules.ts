import { inhibitedCrc, scheduleCrc } from '@headrace/device/schedule-crc';
import { cycleDays } from '@headrace/demo/irrigation-plan';
import type { FarmProfile, Irrigation } from '@headrace/demo/profile';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { sqlClient } from '../../db/sql-client.ts';
import { unitEntries } from '../commands/down-messages.ts';
import type { By } from '../devices/record-change.ts';
import { saveHeld } from '../programmes/save-held.ts';
import { wantProgrammes, type WantedUnit } from '../programmes/wanted-writer.ts';
import { waterBy } from '../schedules/current-set-writer.ts';
import { createScheduleSets } from '../schedules/schedule-sets.ts';
import { createSchedulesRepo } from '../schedules/schedules.repo.ts';
import { createSetsRepo } from '../schedules/sets.repo.ts';
import { createSetsService } from '../schedules/sets.service.ts';
import { createSupplyRepo } from '../schedules/supply.repo.ts';
import { createSupplyService } from '../schedules/supply.service.ts';
import { createTemplatesRepo } from '../schedules/templates.repo.ts';
import { createTemplatesService } from '../schedules/templates.service.ts';

const DAY = 86_400_000;
/** When the farms were sent what, days ago. */
const SPRING_DAYS = 60;
const SUMMER_DAYS = 30;

/**
 * Templates and sets of the demo's farms, made as a person makes them: designed, computed and stored by the product's own services.
 * The newest set was sent a month ago; where it did not get to all, the others still hold the one before.
 */
export async function seedSchedules(db: Db, profiles: readonly FarmProfile[], now: Date): Promise<void> {
  const farms = await db.selectFrom('farm').selectAll().where('is_demo', '=', true).execute();
  for (const farm of farms) {
    const profile = profiles.find(({ name }) => name === farm.name);
    if (profile?.irrigation && !(await hasAnySet(db, farm.id)))
      await seedFarmSchedules(db, farm, profile, profile.irrigation, now);
  }
}

const hasAnySet = async (db: Db, farmId: number): Promise<boolean> =>
  (await createSetsRepo(db).list(farmId)).length > 0;

async function seedFarmSchedules(
  db: Db,
  farm: FarmRow,
  profile: FarmProfile,
  irrigation: Irrigation,
  now: Date,
): Promise<void> {
  const by = (daysAgo: number): By => ({
    accountId: farm.owner_id,
    now: new Date(now.getTime() - daysAgo * DAY),
  });
  const { minutes, behind, supply } = irrigation;
  const { groups } = await createTemplatesService(createTemplatesRepo(db)).details(farm);
  await createSupplyService(createSupplyRepo(db)).put(
    farm,
    {
      farmUID: farm.uid,
      ...supply,
      windows: [...supply.windows],
      avoid: [...supply.avoid],
      mains: (supply.mains ?? []).map((main) => ({
        ...main,
        groups: groups.filter(({ name }) => main.groups.includes(name)).map(({ uid }) => uid),
      })),
      notes: '',
    },
    by(SPRING_DAYS),
  );
  const make = designer(db, farm, irrigation);
  await make('Spread over the day', { minutes, leveling: true }, by(SUMMER_DAYS));
  const spring = behind && (await make('Spring', { minutes: behind.minutes }, by(SPRING_DAYS)));
  const summer = await make('Summer', { minutes }, by(SUMMER_DAYS));
  if (spring) await hold(db, farm, spring, by(SPRING_DAYS), () => true);
  const groupOf = new Map(profile.sprinklers.map(({ mac, group }) => [mac, group]));
  await hold(db, farm, summer, by(SUMMER_DAYS), (mac) => !behind?.groups.includes(groupOf.get(mac) ?? ''));
  await takeOutOfService(db, farm, profile, now);
}

interface Made {
  readonly setId: number;
  readonly units: readonly (WantedUnit & { readonly mac: string })[];
}

/** Adds a template, computes it and stores its set. */
function designer(db: Db, farm: FarmRow, { groups, startMinute }: Irrigation) {
  const templates = createTemplatesService(createTemplatesRepo(db));
  const [setsRepo, schedules] = [createSetsRepo(db), createSchedulesRepo(db)];
  const repos = { sets: setsRepo, schedules, templates: createTemplatesRepo(db) };
  const sets = createSetsService(db, repos, templates, createSupplyService(createSupplyRepo(db)));
  return async (name: string, how: { minutes: number; leveling?: boolean }, by: By): Promise<Made> => {
    const { groups: all } = await templates.details(farm);
    const design = {
      farmUID: farm.uid,
      name,
      groups: all.filter((group) => groups.includes(group.name)).map(({ uid }) => ({ uid })),
      settings: { duration: how.minutes },
      windy: false,
      leveling: how.leveling ?? false,
      startMin: startMinute,
      limits: null,
    };
    const template = await templates.create(farm, design, by);
    const origin = { templateUID: template._id, templateVersion: template.version };
    const { schedules: computed, ...rest } = await templates.compute(farm, { ...design, ...origin });
    const { _id } = await sets.create(farm, { ...rest, schedules: [...computed] }, by);
    return made(db, farm.id, _id);
  };
}

async function made(db: Db, farmId: number, setUid: string): Promise<Made> {
  const set = await createScheduleSets(db).byUid(farmId, setUid);
  if (!set) throw new Error(`The demo's set ${setUid} was not stored.`);
  const rows = await db
    .selectFrom('schedule_set_unit as s')
    .innerJoin('device as d', (join) =>
      join.onRef('d.farm_id', '=', 's.farm_id').onRef('d.id', '=', 's.device_id'),
    )
    .select(['d.id as deviceId', 'd.mac', 's.schedule_group as scheduleGroup', 's.entries'])
    .where('s.farm_id', '=', farmId)
    .where('s.set_id', '=', set.id)
    .execute();
  const units = rows.map(({ entries, mac, ...row }) => {
    const told = unitEntries(entries);
    return { ...row, mac: mac ?? '', entries: told, crc: scheduleCrc(told) };
  });
  return { setId: set.id, units };
}

/** The farm was sent a set, and those that took it answered. */
async function hold(
  db: Db,
  { id: farmId }: FarmRow,
  { setId, units }: Made,
  { now: at }: By,
  took: (mac: string) => boolean,
): Promise<void> {
  const client = sqlClient(db);
  await wantProgrammes(client, { farmId, commandId: null, setId, cycleDays, at }, units);
  await waterBy(client, farmId, setId);
  const held = units.filter(({ mac }) => took(mac));
  await saveHeld(
    client,
    held.map(({ deviceId, crc, entries }) => ({
      farmId,
      deviceId,
      rows: [
        { since: at.getTime(), crc, how: 'answered', programme: { entries, cycleDays }, stoppedAt: null },
      ],
    })),
  );
}

/** After it was sent its schedule: it was told to water nothing, so that the set has a hole. */
async function takeOutOfService(
  db: Db,
  farm: FarmRow,
  { sprinklers }: FarmProfile,
  now: Date,
): Promise<void> {
  const macs = sprinklers.filter(({ isOutOfService }) => isOutOfService).map(({ mac }) => mac);
  if (macs.length === 0) return;
  const farmId = farm.id;
  const rows = await db
    .selectFrom('device')
    .select(['id', 'settings'])
    .where('farm_id', '=', farmId)
    .where('mac', 'in', macs)
    .execute();
  const at = new Date(now.getTime() - 10 * DAY);
  for (const { id, settings } of rows)
    await db
      .updateTable('device')
      .set({ settings: JSON.stringify({ ...settings, outOfService: true }) })
      .where('farm_id', '=', farmId)
      .where('id', '=', id)
      .execute();
  const nothing = rows.map(({ id }) => ({ deviceId: id, entries: [], crc: inhibitedCrc, scheduleGroup: '' }));
  const client = sqlClient(db);
  await wantProgrammes(client, { farmId, commandId: null, setId: null, cycleDays, at }, nothing);
  await saveHeld(
    client,
    rows.map(({ id }) => ({
      farmId,
      deviceId: id,
      rows: [
        {
          since: at.getTime(),
          crc: inhibitedCrc,
          how: 'answered',
          programme: { entries: [], cycleDays },
          stoppedAt: null,
        },
      ],
    })),
  );
}
