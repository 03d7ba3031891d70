import { useQuery } from '@tanstack/react-query';
import { needs } from '@headrace/contract/permissions';
import { mayOn, permissionsQuery } from '../../access/permissions.ts';
import { farmsCardQuery } from '../../farm/farms.queries.ts';

/** The farms of which the person may be told, and which of them the address names. */
export function useAlertFarms(asked: string | undefined) {
  const query = useQuery(farmsCardQuery);
  const { data: permissions = [] } = useQuery(permissionsQuery);
  const farms = (query.data ?? []).filter(({ _id }) => mayOn(permissions, _id, needs.hearAlerts));
  return { query, farms, farm: farms.find(({ _id }) => _id === asked) };
}
