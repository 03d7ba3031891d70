import type { BodyOf } from '@headrace/contract/endpoint';
import type { createTemplate } from '@headrace/contract/schedule-templates';
import { ApiError, call } from '../../api/client.ts';

const UNKNOWN_DESIGN = 'It is not known what this set was computed from. Make a template instead.';

/** What a set was computed from, as a template's body. Groups that are gone aren't in it. Throws where it isn't known. */
export async function setDesign(
  farmUID: string,
  setUID: string,
  name: string,
): Promise<BodyOf<typeof createTemplate>> {
  const { design, groups } = await call('GET /schedules/set', { query: { farmUID, setUID } });
  if (!design) throw new ApiError(409, { errorMessage: UNKNOWN_DESIGN });
  const here = new Set(groups.map(({ uid }) => uid));
  return {
    ...design,
    farmUID,
    name,
    groups: design.groups.flatMap(({ name: _name, ...group }) => (here.has(group.uid) ? [group] : [])),
  };
}
