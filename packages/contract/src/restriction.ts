import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { can } from './permissions.ts';
import { Uid } from './schemas.ts';

/** What a group takes by what its sprinklers hold. */
export const GroupTake = Type.Object({
  groupUID: Uid,
  name: Type.String(),
  sprinklers: Type.Integer({ description: 'in service' }),
  litresADay: Type.Number({
    description: 'mean of the days of their cycles, at what they are set to give',
  }),
  unknown: Type.Integer({
    description: 'sprinklers of which nobody here knows what they hold: they count by what was last sent',
  }),
});
export type GroupTake = Static<typeof GroupTake>;

/** What those sprinklers take that are in just these groups. */
export const SharedTake = Type.Object({
  groupUIDs: Type.Array(Uid),
  litresADay: Type.Number({ description: 'each sprinkler once, at what it is set to give' }),
});
export type SharedTake = Static<typeof SharedTake>;

export const groupTakes = defineEndpoint({
  key: 'GET /schedules/takes',
  tag: 'Schedules',
  summary:
    'What each group takes a day by what its sprinklers hold, to try out a restriction of water on. Nothing is stored or sent',
  needs: { anyOf: [can('schedules', 'Read')] },
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({
    groups: Type.Array(GroupTake, { description: 'by name; one in two groups counts in both' }),
    shared: Type.Array(SharedTake, { description: 'each sprinkler once: to sum up over groups' }),
  }),
});
