import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { SearchResult } from '@headrace/contract/irrigation-devices';
import { permissionsQuery } from '../../access/permissions.ts';
import { deviceWay } from '../../device-records/device-way.ts';
import { kindOf } from './search-view-model.ts';

/** Opens what was found, and with it its farm. */
export function useOpenHit(): (hit: SearchResult) => void {
  const navigate = useNavigate();
  const { data: permissions = [] } = useQuery(permissionsQuery);
  return (hit) => {
    const kind = kindOf(hit);
    if (kind) void navigate(deviceWay(permissions, hit.farmUID, { ...hit, kind }));
  };
}
