import type { Farm, FarmCard, FarmSummary } from '@headrace/contract/farms';
import { TANK_LOW_LEVEL_PERCENT } from '@headrace/contract/limits';
import { can, hasRight } from '@headrace/contract/permissions';
import { isLowBattery } from '@headrace/contract/rules/tank';
import type { TankSummary } from '@headrace/contract/tanks';
import type { FarmRow } from '../../db/schema.ts';
import type { AccessService } from '../access/access.service.ts';
import type { FarmsRepo } from './farms.repo.ts';
import { toFarm } from './present-farm.ts';

interface TanksOfFarm {
  summaries(farm: FarmRow, now: Date): Promise<TankSummary[]>;
}

const readFarm = can('farms', 'Read');

export function createFarmsService(farms: FarmsRepo, access: AccessService, tanks: TanksOfFarm) {
  const readable = async (accountId: number, now: Date) =>
    (await access.grants(accountId, now)).filter((grant) => hasRight(grant.permissions, readFarm));

  async function summaryOf(farm: FarmRow, now: Date): Promise<FarmSummary> {
    const [counts, ofTanks] = await Promise.all([farms.counts(farm.id), tanks.summaries(farm, now)]);
    const inContact = ofTanks.filter((tank) => !tank.isOutOfContact);
    const contacts = ofTanks.flatMap((tank) => tank.statusTime ?? []).toSorted();
    return {
      farmUID: farm.uid,
      tanks: ofTanks.length,
      tanksOutOfContact: ofTanks.length - inContact.length,
      tanksLow: inContact.filter(
        (tank) => tank.level.value !== null && tank.level.value < TANK_LOW_LEVEL_PERCENT,
      ).length,
      tanksLowBattery: inContact.filter((tank) => isLowBattery(tank.batteryVoltage)).length,
      tanksLeaking: inContact.filter((tank) => tank.leakDetected).length,
      gateways: counts.gateways,
      gatewaysOffline: counts.gatewaysOffline,
      sprinklers: counts.sprinklers,
      lastContact: contacts.at(-1) ?? null,
    };
  }

  return {
    async cards(accountId: number, now: Date): Promise<FarmCard[]> {
      const grants = await readable(accountId, now);
      const owners = await farms.owners(grants.map((grant) => grant.farm.owner_id));
      return grants.flatMap(({ farm }) => {
        const owner = owners.get(farm.owner_id);
        return owner ? toCard(farm, owner) : [];
      });
    },
    async summaries(accountId: number, now: Date): Promise<FarmSummary[]> {
      const grants = await readable(accountId, now);
      return Promise.all(grants.map(({ farm }) => summaryOf(farm, now)));
    },
    async farms(accountId: number, now: Date): Promise<Farm[]> {
      const grants = await readable(accountId, now);
      const owners = await farms.owners(grants.map((grant) => grant.farm.owner_id));
      return grants.map(({ farm }) => toFarm(farm, owners.get(farm.owner_id)?.uid ?? ''));
    },
    contents: (farmId: number) => farms.contents(farmId),
    async farm(farm: FarmRow): Promise<Farm> {
      const owner = (await farms.owners([farm.owner_id])).get(farm.owner_id);
      return toFarm(farm, owner?.uid ?? '');
    },
  };
}
export type FarmsService = ReturnType<typeof createFarmsService>;

function toCard(farm: FarmRow, owner: { uid: string; subscriptionValidUntil: Date }): FarmCard {
  return {
    _id: farm.uid,
    accountId: owner.uid,
    name: farm.name,
    description: farm.description,
    icon: farm.icon,
    tankOnly: farm.tank_only,
    subscriptionValidUntil: owner.subscriptionValidUntil.toISOString(),
    lat: farm.lat,
    lng: farm.lng,
    walConf: farm.wal_config,
  };
}
