import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { can } from './permissions.ts';
import { type SoilSettings, soilLimits } from './rules/schedule/soil-settings.ts';
import { LineText, nullable, oneOf, Success, Time, Uid } from './schemas.ts';

const tag = 'Irrigation advice';
const read = { anyOf: [can('schedules', 'Read')] };
const edit = { anyOf: [can('schedules', 'Edit')] };
/** Days back that the balance reaches at most, and how many the ledger shows unless it is said. */
export const ADVICE_DAYS = { most: 60, usual: 14 } as const;

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: "YYYY-MM-DD, the farm's day" });
const Millimetres = Type.Number({ minimum: 0, maximum: 1000, description: 'mm' });
const within = (name: keyof SoilSettings, description: string) =>
  Type.Number({ minimum: soilLimits[name][0], maximum: soilLimits[name][1], description });

export const Soil = Type.Object({
  awcMmPerM: within('awcMmPerM', 'mm of water that a metre of soil holds for plants'),
  rootM: within('rootM', 'm'),
  easyShare: within('easyShare', 'share that the crop takes without effort (FAO-56, p)'),
  kc: within('kc', 'use against that of the reference crop (FAO-56, Kc)'),
  triggerShare: within('triggerShare', 'share of a full soil at or below which to irrigate'),
  targetShare: within('targetShare', 'share of a full soil up to which to irrigate'),
  efficiency: within('efficiency', 'share of what sprinklers give that reaches the roots'),
});

/** What people enter of a group, or of the farm for all groups that have none of their own. */
const entries = {
  soil: nullable(Soil),
  knownDay: nullable(Day),
  knownMm: nullable({
    ...Millimetres,
    description: 'mm that the soil lacked at the end of that day; 0: full',
  }),
  probeUID: nullable({ ...Uid, description: 'a soil moisture site that tells of it' }),
  refillKpa: nullable(Type.Number({ minimum: 1, maximum: 200, description: 'kPa at which it is dry' })),
  usualEt0Mm: nullable(
    Type.Number({
      minimum: 0,
      maximum: 20,
      description: 'mm a day where no other is known; of the farm alone',
    }),
  ),
  rainSiteUID: nullable({ ...Uid, description: 'whose rain gauge is the farm’s; of the farm alone' }),
};
export const AdviceSettings = Type.Object({
  ...entries,
  version: Type.Integer({ minimum: 0, description: '0: nobody has entered anything' }),
  updatedAt: nullable(Time),
  by: Type.String({ description: "a person's name; empty: nobody's, or not known" }),
});
export type AdviceSettings = Static<typeof AdviceSettings>;
export type AdviceEntries = Pick<AdviceSettings, keyof typeof entries>;

/** Where a number comes from. */
export const et0Sources = ['entered', 'forecast', 'usual'] as const;
export const rainSources = ['entered', 'gauge'] as const;
/** `noStart`: nobody has said what the soil lacked on any day. The others name the day on which what is known ends. */
export const adviceStates = ['advised', 'noStart', 'noEt0', 'noIrrigation', 'noSprinklers'] as const;

const Share = Type.Number({ description: 'of a full soil' });
const Outlook = Type.Object({
  day: Day,
  fullness: Share,
  depletionMm: Type.Number(),
  cycles: Type.Integer({ description: 'that would be advised then' }),
});

export const GroupAdvice = Type.Object({
  groupUID: Uid,
  name: Type.String(),
  sprinklers: Type.Integer(),
  heardAt: nullable({ ...Time, description: 'when one of its sprinklers was last heard' }),
  soil: Soil,
  soilFrom: oneOf(['group', 'farm', 'default'] as const),
  tawMm: Type.Number({ description: 'mm that roots can take from it when it is full' }),
  settings: AdviceSettings,
  cycle: Type.Object({
    mm: Type.Number({ description: 'of one cycle, as sprinklers give it' }),
    days: Type.Integer({ description: 'until it has come to the last of them' }),
    from: oneOf(['sent', 'setting'] as const),
  }),
  state: oneOf(adviceStates),
  stateDay: nullable(Day),
  since: nullable({ ...Day, description: 'on whose evening it was known what the soil lacked' }),
  depletionMm: nullable(Type.Number({ description: 'what the soil lacks now, mm' })),
  leastMm: nullable(Type.Number({ description: 'the same if those that were not heard watered' })),
  fullness: nullable(Share),
  today: Type.Object({
    rainMm: nullable(Type.Number()),
    appliedMm: nullable(Type.Number()),
  }),
  notKnown: Type.Integer({ description: 'waterings since then of which nothing is known' }),
  rainNotKnown: Type.Integer({ description: 'days since then whose rain nobody measured or entered' }),
  probe: nullable(
    Type.Object({
      name: Type.String(),
      kpa: nullable(Type.Number({ description: 'null: silent, or no tension' })),
      at: nullable(Time),
      refillKpa: Type.Number(),
      isDry: Type.Boolean(),
    }),
  ),
  advice: nullable(
    Type.Object({
      cycles: Type.Integer(),
      mm: Type.Number({ description: 'as sprinklers give it' }),
      leastCycles: Type.Integer({ description: 'if those that were not heard watered' }),
      isByProbe: Type.Boolean({ description: 'the probe says that it is dry; the balance does not' }),
      fullnessAtLastTurn: Share,
      heldBackUntil: nullable({ ...Time, description: 'rain is forecast that would bring it' }),
      rainAheadMm: nullable(
        Type.Number({ description: 'forecast for today and tomorrow, less what fell today' }),
      ),
      outlook: Type.Array(Outlook, {
        description: 'tomorrow and after it, if it is given; no rain is counted',
      }),
    }),
  ),
});
export type GroupAdvice = Static<typeof GroupAdvice>;

export const IrrigationAdvice = Type.Object({
  farmUID: Uid,
  at: Time,
  day: Day,
  settings: AdviceSettings,
  weather: nullable(
    Type.Object({ source: Type.String(), isDemo: Type.Boolean(), fetchedAt: Time, isStale: Type.Boolean() }),
  ),
  gauge: nullable(Type.Object({ uid: Uid, name: Type.String() }, { description: 'whose rain is counted' })),
  sites: Type.Array(Type.Object({ uid: Uid, name: Type.String() }), { description: 'of soil moisture' }),
  groups: Type.Array(GroupAdvice, { description: 'by name' }),
});
export type IrrigationAdvice = Static<typeof IrrigationAdvice>;

export const irrigationAdvice = defineEndpoint({
  key: 'GET /irrigation-advice',
  tag,
  summary:
    'What each group needs now by a water balance (FAO-56), with all that it rests on. It sends nothing and changes no schedule',
  needs: read,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: IrrigationAdvice,
});

/** A day of a group. Forecast and measured rain stand apart; only what fell is counted. */
export const LedgerDay = Type.Object({
  day: Day,
  et0Mm: nullable(Type.Number()),
  et0From: nullable(oneOf(et0Sources)),
  etcMm: nullable(Type.Number()),
  rainMm: nullable(Type.Number()),
  rainFrom: nullable(oneOf(rainSources)),
  forecastMm: nullable(Type.Number({ description: 'rain that was forecast on the day for it' })),
  appliedMm: nullable(Type.Number({ description: 'as sprinklers gave it, believed' })),
  notKnown: Type.Integer({ description: 'waterings of which nothing is known' }),
  depletionMm: nullable(Type.Number({ description: 'at the end of the day' })),
  fullness: nullable(Share),
  advised: nullable(
    Type.Object({
      at: Time,
      cycles: Type.Integer(),
      mm: Type.Number(),
      isHeldBack: Type.Boolean(),
    }),
  ),
  note: Type.String({ description: 'what a person did about it' }),
  noteBy: Type.String(),
  noteAt: nullable(Time),
});
export type LedgerDay = Static<typeof LedgerDay>;

export const adviceLedger = defineEndpoint({
  key: 'GET /irrigation-advice/ledger',
  tag,
  summary: `A group's days, the newest first: use, rain that was forecast and that fell, irrigation, what was advised and done; ${ADVICE_DAYS.most} at most`,
  needs: read,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({
    farmUID: Uid,
    groupUID: Uid,
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: ADVICE_DAYS.most })),
  }),
  reply: Type.Object({ days: Type.Array(LedgerDay) }),
});
export type AdviceLedger = Static<(typeof adviceLedger)['reply']>;

export const putAdviceSettings = defineEndpoint({
  key: 'PUT /irrigation-advice/settings',
  tag,
  summary:
    'Enter soil, crop and what the soil lacked on a day: of a group, or of the farm for all groups without their own. 409 with the newer one when somebody else changed it since `version`. It changes no schedule',
  needs: edit,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({
    farmUID: Uid,
    groupUID: Type.Optional({ ...Uid, description: 'absent: of the farm' }),
    version: Type.Optional(Type.Integer({ minimum: 0 })),
    ...entries,
  }),
  reply: AdviceSettings,
});

export const putAdviceDay = defineEndpoint({
  key: 'PUT /irrigation-advice/day',
  tag,
  summary:
    'Enter what the reference crop used on a day, or the rain that fell: it counts instead of what else is known. null: nobody entered it',
  needs: edit,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({
    farmUID: Uid,
    day: Day,
    et0Mm: nullable(Type.Number({ minimum: 0, maximum: 20, description: 'mm' })),
    rainMm: nullable(Type.Number({ minimum: 0, maximum: 500, description: 'mm' })),
  }),
  reply: Success,
});

export const putAdviceNote = defineEndpoint({
  key: 'PUT /irrigation-advice/note',
  tag,
  summary: "Write down what was done about a day's advice",
  needs: edit,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({ farmUID: Uid, groupUID: Uid, day: Day, note: LineText({ maxLength: 200 }) }),
  reply: Success,
});
