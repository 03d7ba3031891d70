import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import { LONGEST_CYCLE } from '@headrace/contract/rules/schedule/plan';
import type { getSet } from '@headrace/contract/schedule-sets';
import type { createTemplate } from '@headrace/contract/schedule-templates';
import { ApiError, call } from '../../api/client.ts';

const UNKNOWN_DESIGN = 'It is not known what this set was computed from. Make a template instead.';

type Design = BodyOf<typeof createTemplate>;

/** What a set was computed from, as a template's body. Groups that are gone aren't in it. Throws where it isn't known. */
export const setDesign = async (farmUID: string, setUID: string, name: string): Promise<Design> =>
  designOf(await call('GET /schedules/set', { query: { farmUID, setUID } }), farmUID, name);

/** The same in the set's own cycle: of two days, which a day would do for where less is to water, and would take more a day. */
export async function designInCycle(farmUID: string, setUID: string, name: string): Promise<Design> {
  const set = await call('GET /schedules/set', { query: { farmUID, setUID } });
  const design = designOf(set, farmUID, name);
  if (set.settings.cycleLen !== LONGEST_CYCLE) return design;
  return { ...design, settings: { ...design.settings, cycleLen: LONGEST_CYCLE } };
}

/** Throws where it isn't known. */
function designOf({ design, groups }: ReplyOf<typeof getSet>, farmUID: string, name: string): Design {
  if (!design) throw new ApiError(409, { errorMessage: UNKNOWN_DESIGN });
  const here = new Set(groups.map(({ uid }) => uid));
  return {
    ...design,
    farmUID,
    name,
    groups: design.groups.flatMap(({ name: _name, ...group }) => (here.has(group.uid) ? [group] : [])),
  };
}
