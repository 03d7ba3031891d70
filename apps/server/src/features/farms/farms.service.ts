import type { Farm, FarmCard, FarmSummary } from '@headrace/contract/farms';
import { can, hasRight } from '@headrace/contract/permissions';
import type { FarmRow } from '../../db/schema.ts';
import type { AccessService } from '../access/access.service.ts';
import { type FarmSources, farmSummary } from './farm-summary.ts';
import { type FarmsRepo, noUnits } from './farms.repo.ts';
import { toFarm } from './present-farm.ts';

const readFarm = can('farms', 'Read');

export function createFarmsService(farms: FarmsRepo, access: AccessService, sources: FarmSources) {
  const readable = async (accountId: number, now: Date) =>
    (await access.grants(accountId, now)).filter((grant) => hasRight(grant.permissions, readFarm));

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
      const counts = await farms.counts(grants.map(({ farm }) => farm.id));
      return Promise.all(
        grants.map(({ farm, permissions }) =>
          farmSummary(sources, { farm, accountId, permissions, counts: counts.get(farm.id) ?? noUnits, now }),
        ),
      );
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
