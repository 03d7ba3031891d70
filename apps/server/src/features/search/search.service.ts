import type { SearchResult } from '@headrace/contract/irrigation-devices';
import { can, hasRight } from '@headrace/contract/permissions';
import type { DeviceKind } from '../../db/schema.ts';
import type { AccessService } from '../access/access.service.ts';
import { readResource } from '../access/read-resource.ts';
import type { FoundDevice, SearchRepo } from './search.repo.ts';
import { unitState } from './unit-state.ts';

const RESULTS_MAX = 20;
const TEXT_MIN = 2;
const kinds = Object.keys(readResource) as DeviceKind[];

export function createSearchService(search: SearchRepo, access: AccessService) {
  return {
    /** Devices of all kinds and farms that the account may read; none for a text of blanks. */
    async find(accountId: number, given: string, now: Date): Promise<SearchResult[]> {
      const text = given.trim();
      if (text.length < TEXT_MIN) return [];
      const pairs = (await access.grants(accountId, now)).flatMap(({ farm, permissions }) =>
        kinds
          .filter((kind) => hasRight(permissions, can(readResource[kind], 'Read')))
          .map((kind) => ({ farmId: farm.id, kind })),
      );
      const readable = {
        farmIds: pairs.map(({ farmId }) => farmId),
        kinds: pairs.map(({ kind }) => kind),
      };
      return (await search.find(readable, text, RESULTS_MAX)).map((device) => toResult(device, now));
    },
  };
}
export type SearchService = ReturnType<typeof createSearchService>;

function toResult(device: FoundDevice, now: Date): SearchResult {
  return {
    id: device.uid,
    serial: device.serial_number,
    name: device.name,
    farm: device.farm_name,
    farmUID: device.farm_uid,
    groups: device.groups,
    outOfService: device.out_of_service,
    ...unitState(device, now),
    kind: device.kind,
  };
}
