import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { SCHEDULE_SET_BYTES } from './limits.ts';
import { can } from './permissions.ts';
import { type ComparedKind, comparedKinds } from './rules/schedule/plan-diff.ts';
import { MOST_ENTRIES } from './rules/schedule/plan.ts';
import { computed, KeptDesign } from './schedule-templates.ts';
import { ScheduleFinding, SetEntry, SetUnit } from './schedules.ts';
import { LineText, nullable, Time, Uid } from './schemas.ts';
import { batchId } from './undo.ts';

const tag = 'Schedules';
const read = { anyOf: [can('schedules', 'Read')] } as const;

const Count = Type.Integer({ minimum: 0 });
const Named = (description: string) =>
  Type.Object(
    { count: Count, names: Type.Array(Type.String(), { description: 'the first of them' }) },
    { description },
  );

/** Who is asked again what it holds, at one time: the radio takes a while for each. */
export const POLLED_AT_ONCE = 200;

/** How far a set has got. The four parts make up `total`. */
export const SetStanding = Type.Object({
  total: { ...Count, description: 'sprinklers of the set that are in service' },
  holding: { ...Count, description: 'by their own word or answer' },
  onTheirWay: Count,
  notConfirmed: { ...Count, description: 'were sent it, and are not known to hold it' },
  toPoll: Type.Array(Uid, {
    maxItems: POLLED_AT_ONCE,
    description: 'the first of those that are not confirmed',
  }),
  otherwise: { ...Count, description: 'are to water by something else' },
});
export type SetStanding = Static<typeof SetStanding>;

/** Where the farm is no longer as the set was computed from it. */
export const SetDifferences = Type.Object({
  holes: Named('have a turn in the set, and are gone, spare or out of service'),
  missing: Named('are in a group of the set, and not in the set'),
  moved: Named('water for a group that they are no longer in'),
});
export type SetDifferences = Static<typeof SetDifferences>;

const SetFigures = Type.Object({
  units: Count,
  minutes: { ...Count, description: 'of all sprinklers in a cycle' },
  litres: Type.Number({ description: 'in a cycle, by the flow of sprinklers when it was made' }),
  mm: Type.Object(
    { least: Type.Number(), mean: Type.Number(), most: Type.Number() },
    { description: 'in a cycle' },
  ),
});
export type SetFigures = Static<typeof SetFigures>;

const SetGroup = Type.Object({ name: Type.String(), uid: Type.String() });

export const SetSummary = Type.Object({
  _id: Uid,
  name: Type.String(),
  isCurrent: Type.Boolean({ description: 'the farm waters by it' }),
  groups: Type.Array(SetGroup, { description: 'by name; without a uid: no longer on the farm' }),
  settings: Type.Object({ cycleLen: Type.Number({ description: 'min' }) }),
  figures: nullable(SetFigures),
  template: nullable(
    Type.Object({
      uid: nullable({ ...Uid, description: 'null: deleted' }),
      name: Type.String(),
      version: Type.Integer({ description: 'that it was made from' }),
      newestVersion: nullable(Type.Integer()),
    }),
  ),
  isByHand: Type.Boolean({ description: 'not what its template gave' }),
  createdBy: nullable(Type.String()),
  createdAt: Time,
  replacedBy: nullable({ ...Uid, description: 'the newer one of the same template' }),
  findings: Type.Array(ScheduleFinding, { description: 'when it was made, the worst first' }),
  standing: nullable({ ...SetStanding, description: 'null: no sprinkler is to water by it' }),
  differences: nullable(SetDifferences),
  inUse: nullable(Type.String({ description: 'why it can’t be deleted' })),
});
export type SetSummary = Static<typeof SetSummary>;

export const listSets = defineEndpoint({
  key: 'GET /schedules/sets',
  tag,
  summary:
    'The farm’s schedule sets: the current one first, then the newest. Without those that a newer one of the same template replaced',
  needs: read,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({ sets: Type.Array(SetSummary) }),
});

export const getSet = defineEndpoint({
  key: 'GET /schedules/set',
  tag,
  summary: 'One schedule set with what it has for each sprinkler and how far it has got',
  needs: read,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid, setUID: Uid }),
  reply: Type.Object({
    ...SetSummary.properties,
    design: nullable(KeptDesign),
    schedules: Type.Array(SetUnit, { description: 'by name; those that left the farm are not among them' }),
  }),
});

/** What a computed body has of a sprinkler. */
const NewSetUnit = Type.Object({
  name: Type.Optional(LineText({ maxLength: 200 })),
  serialNumber: LineText({ minLength: 1, maxLength: 64 }),
  group: LineText({ maxLength: 200, description: 'name of the group' }),
  scheduleGroup: LineText({ maxLength: 210, description: 'its line: the group, or `group/2`' }),
  schedules: Type.Array(SetEntry, { minItems: 1, maxItems: MOST_ENTRIES }),
});

export const createSet = defineEndpoint({
  key: 'POST /schedules/create',
  once: true,
  tag,
  summary:
    'Store a schedule set: the body as `POST /schedule-template/compute` answered it. Checked by the same rules: 400 with all findings in `current: {findings}`. One that is not what a computation gives is kept as edited by hand. With `farmRevision`, 409 when the farm changed since. A newer set of a template takes the place of the one before it in lists',
  needs: { anyOf: [can('schedules', 'Create')] },
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({
    ...computed,
    schedules: Type.Array(NewSetUnit, { minItems: 1, maxItems: 20_000 }),
    farmRevision: Type.Optional(Type.String({ maxLength: 64 })),
  }),
  bodyMaxBytes: SCHEDULE_SET_BYTES,
  reply: SetSummary,
});

export const deleteSet = defineEndpoint({
  key: 'DELETE /schedules',
  tag,
  summary:
    'Delete a schedule set; `POST /undo` brings it back for 30 days. Not deleted, with the reason, while the farm waters by it, it is being sent or sprinklers have still to get it',
  needs: { anyOf: [can('schedules', 'Delete')] },
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid, setUID: Uid }),
  reply: Type.Object({ deleted: Type.Boolean(), reason: Type.Optional(Type.String()), batchId }),
});

const Entry = Type.Object({
  start: Type.Integer({ description: 'minute of the day' }),
  duration: Type.Integer({ description: 'min' }),
  cycle: Type.Integer({ description: 'day of the cycle' }),
});
const ComparedProgramme = nullable(Type.Object({ cycleDays: Type.Integer(), entries: Type.Array(Entry) }));

export const ComparedUnit = Type.Object({
  uid: Uid,
  name: Type.String(),
  serialNumber: Type.String(),
  line: Type.String({ description: 'that it waters in by the second, else by the first' }),
  kind: Type.Unsafe<ComparedKind>({ enum: [...comparedKinds] }),
  from: ComparedProgramme,
  to: ComparedProgramme,
});
export type ComparedUnit = Static<typeof ComparedUnit>;

export const compareSets = defineEndpoint({
  key: 'GET /schedules/compare',
  tag,
  summary:
    'What becomes of each sprinkler’s programme from one schedule set to another; without `from` from what each holds now. Those that stay the same are counted alone',
  needs: read,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid, to: Uid, from: Type.Optional(Uid) }),
  reply: Type.Object({
    from: nullable(Type.Object({ uid: Uid, name: Type.String() })),
    to: Type.Object({ uid: Uid, name: Type.String() }),
    counts: Type.Object(Object.fromEntries(comparedKinds.map((kind) => [kind, Count])) as CountOf),
    units: Type.Array(ComparedUnit, { description: 'by name' }),
    notKnown: Type.Array(Type.String(), {
      description:
        'without `from`: the serial numbers of all the farm’s sprinklers of which nobody knows what they hold',
    }),
  }),
});
type CountOf = Record<ComparedKind, typeof Count>;
