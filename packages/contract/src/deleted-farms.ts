import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { needs } from './permissions.ts';
import { Time, Uid } from './schemas.ts';

export const DeletedFarm = Type.Object({
  farmUID: Uid,
  name: Type.String(),
  deletedAt: Time,
  deletedBy: Type.String({ description: 'empty where that is no longer known' }),
  until: Type.Unsafe<string>({ ...Time, description: 'until then it can be restored' }),
  devices: Type.Integer(),
});
export type DeletedFarm = Static<typeof DeletedFarm>;

export const listDeletedFarms = defineEndpoint({
  key: 'GET /farms/deleted',
  tag: 'Farms',
  summary: 'Farms that were deleted in the last 30 days and that the caller can restore, the newest first',
  needs: needs.login,
  reply: Type.Object({ farms: Type.Array(DeletedFarm) }),
});

export const RestoredFarm = Type.Object({
  away: Type.Array(Type.Object({ kind: Type.String(), name: Type.String(), why: Type.String() }), {
    description: 'devices that could not come back',
  }),
});
export type RestoredFarm = Static<typeof RestoredFarm>;

export const restoreFarm = defineEndpoint({
  key: 'POST /farm/restore',
  tag: 'Farms',
  summary:
    'Bring a deleted farm back as it was, within 30 days; for its owner and whoever could delete it. 404 for everybody else',
  needs: needs.login,
  body: Type.Object({ farmUID: Uid }),
  reply: RestoredFarm,
});
