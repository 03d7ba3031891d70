import type { ReplyOf } from '@headrace/contract/endpoint';
import type { groupTakes } from '@headrace/contract/restriction';
import { compareNatural } from '@headrace/contract/rules/natural-order';
import type { FarmRow } from '../../db/schema.ts';
import type { TakeRow, TakesRepo } from './takes.repo.ts';

/** What each group of a farm takes a day, by what its sprinklers hold. */
export const createTakesService = (takes: TakesRepo) => ({
  async of(farm: FarmRow): Promise<ReplyOf<typeof groupTakes>> {
    const [groups, rows] = await Promise.all([takes.groups(farm.id), takes.of(farm.id)]);
    return {
      groups: groups
        .map((group) => ({
          ...group,
          ...sumOf(rows.filter(({ groupUIDs }) => groupUIDs.includes(group.groupUID))),
        }))
        .toSorted((one, other) => compareNatural(one.name, other.name)),
      shared: rows.map(({ groupUIDs, litresADay }) => ({ groupUIDs, litresADay })),
    };
  },
});
export type TakesService = ReturnType<typeof createTakesService>;

const sumOf = (rows: readonly TakeRow[]) =>
  rows.reduce(
    (sum, { sprinklers, unknown, litresADay }) => ({
      sprinklers: sum.sprinklers + sprinklers,
      unknown: sum.unknown + unknown,
      litresADay: sum.litresADay + litresADay,
    }),
    { sprinklers: 0, unknown: 0, litresADay: 0 },
  );
