import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { can } from './permissions.ts';
import { LineText, nullable, Time, Uid } from './schemas.ts';

const At = Type.Number({ description: 'epoch ms' });

/** What a plan comes to. */
const Figures = Type.Object({
  peakLps: Type.Number({ description: 'L/s, mean of a quarter of an hour' }),
  endAt: nullable({ ...At, description: 'epoch ms: when the last watering of the time ends' }),
  litres: Type.Number(),
  hours: Type.Array(
    Type.Object({
      fromMin: Type.Integer({ description: 'minute of the day' }),
      toMin: Type.Integer({ description: 'minute of the day' }),
      why: Type.String(),
      share: nullable(Type.Number({ description: 'of the water, 0 to 1; null: there is none' })),
    }),
    { description: 'how much of the water runs in each of the hours of the water supply' },
  ),
  mm: Type.Array(
    Type.Object({
      line: Type.String(),
      days: Type.Array(Type.Number(), { description: 'mean mm of its sprinklers, by day from the first on' }),
    }),
    { description: 'by line' },
  ),
});
export type PreviewFigures = Static<typeof Figures>;

export const SchedulePreview = Type.Object({
  farmUID: Uid,
  from: At,
  to: At,
  lines: Type.Array(
    Type.Object({
      id: Type.String(),
      busy: Type.Array(Type.Object({ startAt: At, endAt: At, turns: Type.Integer({ minimum: 0 }) })),
    }),
    { description: 'when each would water' },
  ),
  before: Figures,
  after: Figures,
});
export type SchedulePreview = Static<typeof SchedulePreview>;

/** Most that a watering or a start is moved by, min. */
const Shift = Type.Integer({ minimum: -1440, maximum: 1440, description: 'min' });

export const previewSchedule = defineEndpoint({
  key: 'POST /schedules/preview',
  tag: 'Schedules',
  summary:
    'What would be if waterings lasted longer or began later, lines watered one after another, today were skipped or a line held: nothing is stored and nothing is sent. By what sprinklers hold, else by a set or a template. 400 with what it would take where it does not fit',
  needs: { anyOf: [can('schedules', 'Read')] },
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({
    farmUID: Uid,
    setUID: Type.Optional(Uid),
    templateUID: Type.Optional(Uid),
    changes: Type.Object({
      durationBy: Type.Optional(Shift),
      startBy: Type.Optional(Shift),
      linesAtOnce: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
      skipToday: Type.Optional(Type.Boolean()),
      hold: Type.Optional(Type.Object({ line: LineText({ maxLength: 400 }), until: Time })),
    }),
    from: Time,
    days: Type.Integer({ minimum: 1, maximum: 7 }),
  }),
  bodyMaxBytes: 16 * 1024,
  reply: SchedulePreview,
});
