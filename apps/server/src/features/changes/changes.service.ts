import type { QueryOf, ReplyOf } from '@headrace/contract/endpoint';
import type { listChanges } from '@headrace/contract/changes';
import { can, hasRight, type Resource } from '@headrace/contract/permissions';
import type { FarmAccess } from '../../http/access-gate.ts';
import type { ChangesRepo } from './changes.repo.ts';

/** What one has to be able to read to be told of changes to it; other kinds are told to nobody. */
const resourceOf: Readonly<Record<string, Resource>> = {
  farm: 'farms',
  sprinkler: 'irrigationDevices',
  gateway: 'gateways',
  repeater: 'repeaters',
  sensor: 'sensors',
  poi: 'pois',
  group: 'groups',
};

const DEFAULT_LIMIT = 50;

export function createChangesService(changes: ChangesRepo) {
  return {
    async list(
      { farmId, permissions }: FarmAccess,
      query: QueryOf<typeof listChanges>,
    ): Promise<ReplyOf<typeof listChanges>> {
      const kinds = Object.keys(resourceOf).filter((kind) => {
        const resource = resourceOf[kind];
        return resource !== undefined && hasRight(permissions, can(resource, 'Read'));
      });
      const { limit = DEFAULT_LIMIT, before } = query;
      const rows = await changes.changes({
        farmId,
        kinds,
        uid: query.uid?.toLowerCase(),
        before,
        limit: limit + 1,
      });
      return {
        changes: rows.slice(0, limit).map((row) => ({
          _id: row.id,
          at: row.at.toISOString(),
          by: row.by ?? '',
          kind: row.kind,
          uid: row.uid,
          name: row.name,
          what: row.what,
          fields: row.fields,
        })),
        more: rows.length > limit,
      };
    },
  };
}
export type ChangesService = ReturnType<typeof createChangesService>;
