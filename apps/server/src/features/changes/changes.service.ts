import type { QueryOf, ReplyOf } from '@headrace/contract/endpoint';
import type { listChanges } from '@headrace/contract/changes';
import { can, hasRight, meets, needs, type Permissions, type Resource } from '@headrace/contract/permissions';
import { acts, undoNeeds } from '@headrace/contract/undo';
import type { FarmAccess } from '../../http/access-gate.ts';
import { titleParts } from './batch-title.ts';
import { isUndoable } from './change-batch.ts';
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
  'schedule template': 'schedules',
  'schedule set': 'schedules',
};

/** Its fields have the database's numbers of people and devices: who changed it is told, and when. */
const ALERT = 'alert';

const DEFAULT_LIMIT = 50;

export function createChangesService(changes: ChangesRepo) {
  return {
    async list(
      { farmId, permissions }: FarmAccess,
      query: QueryOf<typeof listChanges>,
      now: Date,
    ): Promise<ReplyOf<typeof listChanges>> {
      const kinds = Object.keys(resourceOf).filter((kind) => {
        const resource = resourceOf[kind];
        return resource !== undefined && hasRight(permissions, can(resource, 'Read'));
      });
      // Of one alone, for who is about to change it too; a farm's history has none.
      if (query.uid !== undefined && meets(permissions, needs.hearAlerts)) kinds.push(ALERT);
      const { limit = DEFAULT_LIMIT, before } = query;
      const rows = await changes.changes({
        farmId,
        kinds,
        uid: query.uid?.toLowerCase(),
        before,
        isTogether: query.together === true,
        withId: query.with,
        limit: limit + 1,
      });
      const shown = rows.slice(0, limit);
      const batches = query.together ? shown.flatMap(({ batch_id: batch }) => batch ?? []) : [];
      const parts = await changes.parts(farmId, kinds, batches);
      return {
        changes: shown.map((row) => ({
          _id: row.id,
          at: row.at.toISOString(),
          by: row.by ?? '',
          kind: row.kind,
          uid: row.uid,
          name: row.name,
          what: row.what,
          fields: row.kind === ALERT ? [] : row.fields,
          ...partsOf(parts.get(row.batch_id ?? '')),
          ...undoOf(row, permissions, now),
        })),
        more: rows.length > limit,
      };
    },
  };
}

const partsOf = (parts = 1) => (parts > 1 ? { parts } : {});

interface Batched {
  readonly batchUid: string | null;
  readonly act: string | null;
  readonly title: string | null;
  readonly undoes: string | null;
  readonly batchAt: Date | null;
  readonly undone_at: Date | null;
}

/** Nothing where it was undone already, is too old, or isn't this caller's to undo. */
function undoOf(
  { batchUid, batchAt, title, undoes, undone_at, ...row }: Batched,
  permissions: Permissions,
  now: Date,
) {
  const act = acts.find((name) => name === row.act);
  if (!act || !batchUid || !batchAt || undone_at || !isUndoable(batchAt, now)) return {};
  if (!meets(permissions, undoNeeds[act])) return {};
  return { undo: { batchId: batchUid, act, ...titleParts({ title: title ?? '', undoes }) } };
}

export type ChangesService = ReturnType<typeof createChangesService>;
