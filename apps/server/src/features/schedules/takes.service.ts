import type { GroupTake } from '@headrace/contract/restriction';
import type { FarmRow } from '../../db/schema.ts';
import type { TakesRepo } from './takes.repo.ts';

/** What each group of a farm takes a day, by what its sprinklers hold. */
export const createTakesService = (takes: TakesRepo) => ({
  of: (farm: FarmRow): Promise<GroupTake[]> => takes.of(farm.id),
});
export type TakesService = ReturnType<typeof createTakesService>;
