import { can, meets } from '@headrace/contract/permissions';
import { walkList } from '@headrace/contract/walk-list';
import type { Core, Feature } from '../../feature.ts';
import { createWalkListRepo } from './walk-list.repo.ts';
import { createWalkListService, type WalkSource } from './walk-list.service.ts';

const readRepeaters = { anyOf: [can('repeaters', 'Read')] } as const;

/** Where somebody has to go on a farm; repeaters for those who may see them. */
export function createWalkListFeature({ db }: Core, sprinklers: WalkSource): Feature {
  const walks = createWalkListService(createWalkListRepo(db), sprinklers);
  return {
    routes: (mount) =>
      mount(walkList, ({ farm, now }) =>
        walks.of(farm.farm, { hasRepeaters: meets(farm.permissions, readRepeaters) }, now),
      ),
  };
}
