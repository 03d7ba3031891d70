import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { SearchResult } from '@headrace/contract/irrigation-devices';
import { needs } from '@headrace/contract/permissions';
import { mayOn, permissionsQuery } from '../../access/permissions.ts';
import { deviceKinds, editPath, listPath, needOf } from '../../device-records/device-kinds.ts';
import { kindOf } from './search-view-model.ts';

/** The farm's own group: every device of it. */
const WHOLE_FARM = 'FARM';

/**
 * Opens what was found, and with it its farm: a sprinkler on the map, another device in its form. Where one may not do
 * that there, in its list.
 */
export function useOpenHit(): (hit: SearchResult) => void {
  const navigate = useNavigate();
  const { data: permissions = [] } = useQuery(permissionsQuery);
  return (hit) => {
    const { id, farmUID } = hit;
    const kind = kindOf(hit);
    if (!kind) return;
    if (kind === 'sprinkler' && mayOn(permissions, farmUID, needs.groupMap))
      return void navigate({
        to: '/group-status/$name',
        params: { name: WHOLE_FARM },
        search: { farm: farmUID, ipc: id },
      });
    const device = deviceKinds[kind];
    if (mayOn(permissions, farmUID, needOf(device, 'Edit')))
      return void navigate({ to: editPath(device, farmUID, id) });
    void navigate({ to: listPath(device, farmUID), search: { q: hit.name } as never });
  };
}
