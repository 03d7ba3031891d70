import { useQuery } from '@tanstack/react-query';
import { flag } from '@headrace/contract/permissions';
import { mayOn, permissionsQuery } from '../../access/permissions.ts';
import { useCurrentFarm } from '../../farm/current-farm.ts';
import { farmsCardQuery } from '../../farm/farms.queries.ts';

/** The farms of which the person may be told, and the one that is shown: the address's, else the one they are on. */
export function useAlertFarms(asked: string | undefined) {
  const query = useQuery(farmsCardQuery);
  const { data: permissions = [] } = useQuery(permissionsQuery);
  const current = useCurrentFarm();
  const farms = (query.data ?? []).filter(({ _id }) =>
    mayOn(permissions, _id, { anyOf: [flag('notifications')] }),
  );
  const farm =
    farms.find(({ _id }) => _id === asked) ?? farms.find(({ _id }) => _id === current?._id) ?? farms[0];
  return { query, farms, farm };
}
