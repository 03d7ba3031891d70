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
    description: 'mean of the days of their cycles, at what the group is set to give',
  }),
  unknown: Type.Integer({ description: 'sprinklers that hold a schedule that nobody here knows' }),
});
export type GroupTake = Static<typeof GroupTake>;

export const groupTakes = defineEndpoint({
  key: 'GET /schedules/takes',
  tag: 'Schedules',
  summary:
    'What each group takes a day by what its sprinklers hold, to try out a restriction of water on. Nothing is stored or sent',
  needs: { anyOf: [can('schedules', 'Read')] },
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({ groups: Type.Array(GroupTake, { description: 'by name' }) }),
});
