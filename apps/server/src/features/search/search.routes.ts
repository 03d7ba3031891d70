import { searchDevices } from '@headrace/contract/irrigation-devices';
import type { Mount } from '../../http/mount.ts';
import type { SearchService } from './search.service.ts';

export function searchRoutes(mount: Mount, search: SearchService): void {
  mount(searchDevices, async ({ caller, query, now }) => ({
    results: await search.find(caller.accountId, query.value, now),
  }));
}
