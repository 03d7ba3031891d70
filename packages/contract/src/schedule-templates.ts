import Type, { type Static } from 'typebox';
import { Version } from './devices.ts';
import { defineEndpoint } from './endpoint.ts';
import { WaterApplication } from './farms.ts';
import {
  LINES_MAX,
  MAIN_NAME_MAX,
  MAINS_MAX,
  SCHEDULE_TEMPLATE_BYTES,
  TEMPLATE_GROUPS_MAX,
  TEMPLATE_NAME_MAX,
  WINDOWS_MAX,
} from './limits.ts';
import { can } from './permissions.ts';
import { ROUND_MINUTES } from './rules/schedule/plan.ts';
import { ScheduleFinding, SetUnit } from './schedules.ts';
import { LineText, nullable, Time, Uid } from './schemas.ts';
import { batchId } from './undo.ts';

const tag = 'Schedules';
const read = { anyOf: [can('schedules', 'Read')] } as const;

const Minute = Type.Integer({ minimum: 0, maximum: 1439, description: 'minute of the day' });
const Duration = Type.Integer({ minimum: 1, maximum: 1440, description: 'min' });

/** A window that ends where it begins or before goes over midnight. */
const DayWindow = Type.Object({
  fromMin: Minute,
  toMin: Type.Integer({ minimum: 0, maximum: 1440, description: 'minute of the day' }),
});

const TemplateGroup = Type.Object({
  uid: Uid,
  lines: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LINES_MAX,
      description: 'in each of which one sprinkler waters at a time',
    }),
  ),
  duration: Type.Optional({ ...Duration, description: 'min; else the template’s' }),
});

/** A pipe with less flow than the pump gives, and the groups that hang on it. */
export const WaterMain = Type.Object({
  name: LineText({ minLength: 1, maxLength: MAIN_NAME_MAX }),
  maxLps: Type.Number({ exclusiveMinimum: 0, maximum: 100_000, description: 'L/s' }),
  groups: Type.Array(Uid, { maxItems: TEMPLATE_GROUPS_MAX }),
});
export type WaterMain = Static<typeof WaterMain>;

const CycleLength = Type.Integer({
  enum: [...ROUND_MINUTES, 1440, 2880],
  description:
    'min; less than 1440: several rounds a day. 1440: a day where that is enough, else two; 2880: two days',
});

/** What people design. */
const design = {
  name: LineText({ minLength: 1, maxLength: TEMPLATE_NAME_MAX }),
  groups: Type.Array(TemplateGroup, { minItems: 1, maxItems: TEMPLATE_GROUPS_MAX }),
  settings: Type.Object({
    duration: { ...Duration, description: 'min of each watering' },
    cycleLen: Type.Optional(CycleLength),
  }),
  windy: Type.Optional(Type.Boolean({ description: 'neighbours do not follow one another' })),
  leveling: Type.Optional(Type.Boolean({ description: 'spare minutes between waterings' })),
  startMin: Type.Optional(Minute),
  limits: Type.Optional(
    nullable(
      Type.Object({
        maxLps: nullable(Type.Number({ exclusiveMinimum: 0, maximum: 100_000, description: 'L/s' })),
        windows: Type.Array(DayWindow, { maxItems: WINDOWS_MAX }),
        avoid: Type.Array(DayWindow, { maxItems: WINDOWS_MAX }),
        mains: Type.Optional(Type.Array(WaterMain, { maxItems: MAINS_MAX })),
      }),
    ),
  ),
};
const Design = Type.Object(design);
export type TemplateDesign = Static<typeof Design>;

/** A design as it is kept, with the names that its groups had. */
export const KeptDesign = Type.Object({
  ...design,
  name: Type.Optional(design.name),
  groups: Type.Array(Type.Object({ ...TemplateGroup.properties, name: Type.String() })),
});

const ofFarm = Type.Object({ farmUID: Uid, ...design });

/** Which template a computed body comes from. */
const origin = {
  templateUID: Type.Optional({ ...Uid, description: 'the template that it is computed from' }),
  templateVersion: Type.Optional(Version),
};

/** As it was computed, and as it is stored as a set. */
export const computed = {
  ...ofFarm.properties,
  ...origin,
  settings: Type.Object({ duration: Duration, cycleLen: CycleLength }),
};

export const ScheduleTemplate = Type.Object({
  _id: Uid,
  farmUID: Uid,
  ...design,
  groups: Type.Array(
    Type.Object({
      ...TemplateGroup.properties,
      name: Type.String(),
      isGone: Type.Boolean({ description: 'no longer on the farm' }),
    }),
  ),
  windy: Type.Boolean(),
  leveling: Type.Boolean(),
  startMin: Minute,
  version: Version,
  updatedAt: Time,
});
export type ScheduleTemplate = Static<typeof ScheduleTemplate>;

export const ScheduleFarm = Type.Object({
  farm: Type.Object({ _id: Uid, name: Type.String() }),
  groups: Type.Array(
    Type.Object({
      uid: Uid,
      name: Type.String(),
      isLateral: Type.Boolean(),
      walConfig: WaterApplication,
      ipcs: Type.Array(
        Type.Object({
          id: Uid,
          name: Type.String(),
          serialNumber: Type.String(),
          lat: nullable(Type.Number()),
          lng: nullable(Type.Number()),
        }),
        { description: 'sprinklers in service, no spares' },
      ),
    }),
    { description: 'by name' },
  ),
  walConfig: WaterApplication,
  v3Site: Type.Boolean({ description: 'its units lose a minute at midnight' }),
});
export type ScheduleFarm = Static<typeof ScheduleFarm>;

export const scheduleFarmDetails = defineEndpoint({
  key: 'GET /schedule-template/farm-details',
  tag,
  summary:
    'What a schedule is made of: the groups of the farm, their sprinklers in service, and how they water',
  needs: read,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: ScheduleFarm,
});

export const listTemplates = defineEndpoint({
  key: 'GET /schedule-templates',
  tag,
  summary: "The farm's schedule templates, by name",
  needs: read,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({ schedules: Type.Array(ScheduleTemplate) }),
});

export const getTemplate = defineEndpoint({
  key: 'GET /schedule-template',
  tag,
  summary: 'One schedule template',
  needs: read,
  target: { template: { in: 'query', name: 'templateUID' } },
  query: Type.Object({ templateUID: Uid }),
  reply: ScheduleTemplate,
});

export const createTemplate = defineEndpoint({
  key: 'POST /schedule-template',
  once: true,
  tag,
  summary: 'Add a schedule template. Its name is the only one on the farm; its groups are groups of the farm',
  needs: { anyOf: [can('schedules', 'Create')] },
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: ofFarm,
  bodyMaxBytes: SCHEDULE_TEMPLATE_BYTES,
  reply: ScheduleTemplate,
});

export const updateTemplate = defineEndpoint({
  key: 'PUT /schedule-template',
  tag,
  summary:
    'Change a schedule template: it is as the body says. 409 with the newer one when somebody else changed it since `version`',
  needs: { anyOf: [can('schedules', 'Edit')] },
  target: { template: { in: 'body', name: '_id' } },
  body: Type.Object({ _id: Uid, version: Type.Optional(Version), ...design }),
  bodyMaxBytes: SCHEDULE_TEMPLATE_BYTES,
  reply: ScheduleTemplate,
});

export const deleteTemplate = defineEndpoint({
  key: 'DELETE /schedule-template',
  tag,
  summary: 'Delete a schedule template. `POST /undo` brings it back for 30 days',
  needs: { anyOf: [can('schedules', 'Delete')] },
  target: { template: { in: 'query', name: 'templateUID' } },
  query: Type.Object({ templateUID: Uid }),
  reply: Type.Object({ deleted: Type.Boolean(), batchId }),
});

export const computeTemplate = defineEndpoint({
  key: 'POST /schedule-template/compute',
  tag,
  summary:
    'When each sprinkler would water by a template. Stores nothing. 400 with the reason, and all findings in `current: {findings}`, where it does not fit',
  needs: read,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({ ...ofFarm.properties, ...origin }),
  bodyMaxBytes: SCHEDULE_TEMPLATE_BYTES,
  reply: Type.Object({
    ...computed,
    schedules: Type.Array(SetUnit, { description: 'by name' }),
    findings: Type.Array(ScheduleFinding, { description: 'the worst first' }),
    farmRevision: Type.String({
      description:
        'of the groups and their sprinklers as this was computed from them, for `POST /schedules/create`',
    }),
  }),
});

export const cloneTemplate = defineEndpoint({
  key: 'POST /schedule-template/clone',
  once: true,
  tag,
  summary:
    'Copy a schedule template, also to another farm: there its groups are those of the same names. Needs to read schedules on both farms and to create them on `farmUID`',
  needs: { allOf: [can('schedules', 'Read'), can('schedules', 'Create')] },
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({ templateUID: Uid, farmUID: Uid, name: design.name }),
  reply: Type.Object({
    templateUID: Uid,
    missing: Type.Array(Type.String(), { description: 'names of groups that the farm does not have' }),
  }),
});
