import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Address, defaultWaterApplication } from '@headrace/contract/farms';
import { AGENT_PAID_YEARS } from '@headrace/contract/limits';
import { presets, templates } from '@headrace/contract/permissions';
import { defaultIoSettings, ioPorts } from '@headrace/contract/rules/io-settings';
import { areaHectares } from '@headrace/contract/rules/polygon';
import { demoAccounts, demoPassword, demoShares } from '@headrace/demo/accounts';
import { demoFarms } from '@headrace/demo/demo-farms';
import { deviceKey, integrationKey, integrationUserName } from '@headrace/demo/device-key';
import type { FarmProfile } from '@headrace/demo/profile';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import type { NewDevice } from '../../db/schema.ts';
import { hashPassword } from '../accounts/password.ts';
import { brokerHash } from '../device-connections/broker-hash.ts';
import { firstSettings } from '../irrigation-devices/unit-entries.ts';
import { addToRegistry } from '../registry/registry-entries.ts';
import { zoneById } from '../farms/zone-of-place.ts';
import { seedAlerts } from './seed-alerts.ts';
import { seedHeadlines } from './seed-headlines.ts';
import { seedIrrigation } from './seed-irrigation.ts';
import { seedSchedules } from './seed-schedules.ts';
import { seedTakes } from './seed-takes.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const PAID_MS = AGENT_PAID_YEARS * 365.25 * 86_400_000;

/**
 * Makes the demo's accounts, farms, devices and keys where they are missing. Only records, never readings: those come
 * over MQTT from the simulator, which derives the same keys from `secret`.
 */
export async function seedDemo(db: Db, secret: string, now: Date): Promise<void> {
  const there = await db.selectFrom('farm').select('id').where('is_demo', '=', true).executeTakeFirst();
  if (there) return seedRest(db, now);
  const passwordHash = await hashPassword(demoPassword);
  await db.transaction().execute(async (trx) => {
    const accounts = await seedAccounts(trx, passwordHash, now);
    const farms = new Map<string, number>();
    for (const profile of demoFarms()) {
      farms.set(
        profile.key,
        await seedFarm(trx, profile, accounts.get(profile.ownerEmail) ?? 0, secret, now),
      );
    }
    await seedShares(trx, accounts, farms, now);
    await seedHeadlines(trx, demoFarms(), accounts, farms, now);
    await seedAlerts(trx, now);
  });
  await seedRest(db, now);
}

/** What is made by the product's own services, each in a transaction of its own, and what a demo of an earlier version may lack. */
async function seedRest(db: Db, now: Date): Promise<void> {
  await seedSchedules(db, demoFarms(), now);
  await seedTakes(db, now);
  await seedRegistry(db);
}

async function seedShares(
  trx: Db,
  accounts: ReadonlyMap<string, number>,
  farms: ReadonlyMap<string, number>,
  now: Date,
): Promise<void> {
  const owners = new Map(demoFarms().map(({ key, ownerEmail }) => [key, ownerEmail]));
  const names = new Map(demoAccounts.map(({ email, ...name }) => [email, fullName(name)]));
  for (const share of demoShares) {
    await trx
      .insertInto('share')
      .values({
        uid: newUid(now),
        owner_id: accounts.get(owners.get(share.farmKey) ?? '') ?? 0,
        farm_id: farms.get(share.farmKey) ?? 0,
        agent_id: accounts.get(share.email) ?? 0,
        email: share.email,
        contact: JSON.stringify({ name: names.get(share.email) ?? '' }),
        state: 'accepted',
        template: { farmManager: templates.FarmManager, agent: templates.Agent, guest: templates.Guest }[
          share.preset
        ],
        permissions: JSON.stringify(presets[share.preset]),
        sent_at: now,
        created_at: now,
        answered_at: now,
      })
      .execute();
  }
}

const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }) =>
  `${firstName} ${lastName}`;

/** A demo of an earlier version may have no registry yet. */
async function seedRegistry(db: Db): Promise<void> {
  const units = await db
    .selectFrom('device as d')
    .innerJoin('farm as f', 'f.id', 'd.farm_id')
    .select(['d.kind', 'd.type', 'd.serial_number', 'd.mac', 'd.settings'])
    .where('f.is_demo', '=', true)
    .where('d.deleted_at', 'is', null)
    .execute();
  await addToRegistry(db, units, null);
}

async function seedAccounts(db: Db, passwordHash: string, now: Date): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const profile of demoAccounts) {
    const { id } = await db
      .insertInto('account')
      .values({
        uid: newUid(now),
        email: profile.email,
        name: fullName(profile),
        type: profile.role,
        password_hash: passwordHash,
        subscription_valid_until: new Date(now.getTime() + PAID_MS),
        is_demo: true,
        email_confirmed_at: now,
        mobile: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.set(profile.email, id);
  }
  return ids;
}

const icons = ['farm-blue', 'farm-green', 'farm-orange'] as const;

async function seedFarm(
  db: Db,
  profile: FarmProfile,
  ownerId: number,
  secret: string,
  now: Date,
): Promise<number> {
  const zone = zoneById(profile.timeZone, now.getUTCFullYear());
  const count = await db
    .selectFrom('farm')
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow();
  const { id } = await db
    .insertInto('farm')
    .values({
      uid: newUid(now),
      owner_id: ownerId,
      name: profile.name,
      description: profile.description,
      icon: icons[Number(count.n) % icons.length] ?? 'farm-blue',
      lat: profile.location.lat,
      lng: profile.location.lng,
      size_ha: areaHectares(profile.boundary),
      boundary: JSON.stringify(profile.boundary),
      address: JSON.stringify(addressOf(profile)),
      irrigation_area_ha: profile.irrigationAreaHa,
      tank_only: profile.tankOnly,
      wal_config: JSON.stringify(defaultWaterApplication),
      time_zone_id: zone.timeZoneId,
      raw_offset: zone.rawOffset,
      dst_offset: zone.dstOffset,
      dst_enabled: zone.dstEnabled,
      is_demo: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await seedDevices(db, profile, id, now);
  await seedGatewayKeys(db, id, secret);
  await seedIoTitles(db, profile, id);
  await seedIrrigation(db, profile, id, now);
  if (profile.networkServer) {
    await db
      .insertInto('integration_key')
      .values({
        farm_id: id,
        uid: newUid(now),
        name: 'Demo network server',
        user_name: integrationUserName(profile.key),
        key_hash: sha256(integrationKey(secret, profile.name)),
        broker_hash: brokerHash(integrationKey(secret, profile.name)),
        last_used_at: null,
        deleted_at: null,
      })
      .execute();
  }
  return id;
}

function addressOf({ address }: FarmProfile): Address {
  const { street, suburb, city, zip } = address;
  return { ...address, fullAddress: `${street}, ${suburb}, ${city} ${zip}` };
}

async function seedDevices(db: Db, profile: FarmProfile, farmId: number, now: Date): Promise<void> {
  const common = (device: { name: string; description: string; lat: number; lng: number }) => ({
    farm_id: farmId,
    uid: newUid(now),
    name: device.name,
    description: device.description,
    lat: device.lat,
    lng: device.lng,
  });
  const radio = (device: { serialNumber: string; mac: string }) => ({
    serial_number: device.serialNumber,
    mac: device.mac,
  });
  const devices: NewDevice[] = [
    ...profile.gateways.map((unit) => ({
      ...common(unit),
      ...radio(unit),
      kind: 'gateway' as const,
      type: unit.type,
    })),
    ...profile.repeaters.map((unit) => ({ ...common(unit), ...radio(unit), kind: 'repeater' as const })),
    ...profile.sprinklers.map((unit) => ({
      ...common(unit),
      ...radio(unit),
      kind: 'sprinkler' as const,
      settings: JSON.stringify({
        ...firstSettings(unit),
        channel: unit.channel,
        commsMode: unit.commsMode,
        group: unit.group,
        isSpareUnit: unit.isSpareUnit,
      }),
    })),
    ...profile.sensors.map((unit) => ({
      ...common(unit),
      ...radio(unit),
      kind: 'sensor' as const,
      type: unit.type,
      settings: JSON.stringify(unit.settings),
      mapping: unit.mapping && JSON.stringify(unit.mapping),
    })),
    ...profile.pois.map((poi) => ({ ...common(poi), kind: 'poi' as const, mac: null })),
  ];
  for (let start = 0; start < devices.length; start += 500) {
    await db
      .insertInto('device')
      .values(devices.slice(start, start + 500))
      .execute();
  }
  await nameGatewaysOfSensors(db, profile, farmId);
}

/** Sensors are set by radio through the gateway that hears them. */
async function nameGatewaysOfSensors(db: Db, { sensors }: FarmProfile, farmId: number): Promise<void> {
  const heard = sensors.filter(({ gatewayMac }) => gatewayMac !== null);
  await sql`update device d set gateway_id = g.id
    from unnest(${heard.map(({ mac }) => mac)}::text[], ${heard.map(({ gatewayMac }) => gatewayMac)}::text[])
      as k (mac, gateway_mac), device g
    where d.farm_id = ${farmId} and d.mac = k.mac and g.farm_id = d.farm_id and g.mac = k.gateway_mac`.execute(
    db,
  );
}

/** What is wired to the inputs and relays, as somebody has named it. */
async function seedIoTitles(db: Db, { gateways }: FarmProfile, farmId: number): Promise<void> {
  for (const { mac, io } of gateways) {
    if (!io) continue;
    const settings = defaultIoSettings();
    for (const port of ioPorts) {
      settings[`input${port}`].title = io.inputs[port - 1] ?? '';
      settings[`relay${port}`].title = io.relays[port - 1] ?? '';
    }
    await sql`insert into gateway_io (farm_id, device_id, settings)
      select farm_id, id, ${JSON.stringify(settings)}::jsonb from device where farm_id = ${farmId} and mac = ${mac}`.execute(
      db,
    );
  }
}

async function seedGatewayKeys(db: Db, farmId: number, secret: string): Promise<void> {
  const gateways = await db
    .selectFrom('device')
    .select(['id', 'mac'])
    .where('farm_id', '=', farmId)
    .where('kind', '=', 'gateway')
    .execute();
  for (const { id, mac } of gateways) {
    await db
      .insertInto('gateway_state')
      .values({ farm_id: farmId, device_id: id, state_at: null, contact_at: null, boot_id: null })
      .execute();
    await db
      .insertInto('gateway_key')
      .values({
        mac: mac ?? '',
        farm_id: farmId,
        device_id: id,
        key_hash: sha256(deviceKey(secret, mac ?? '')),
        broker_hash: brokerHash(deviceKey(secret, mac ?? '')),
      })
      .execute();
  }
}
