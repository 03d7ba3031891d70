import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { longJobStates } from './long-jobs.ts';
import { can, flag, needs } from './permissions.ts';
import { RawReply } from './raw.ts';
import { limitKinds } from './rules/water-take/limits.ts';
import { volumeStates } from './rules/water-take/volume.ts';
import { DayText, LinesText, LineText, nullable, oneOf, Time, Uid } from './schemas.ts';

const tag = 'Water takes';
/** Takes of a farm, meters and restrictions of a take, notes of its gaps, and readings of the register that are shown of each meter. */
export const TAKES = { most: 50, meters: 10, restrictions: 50, notes: 500, readings: 500 } as const;
/** Days of one call: of its quarters, of its days, and of a pack; one of more days is made in the queue. */
export const TAKE_DAYS = { rows: 31, days: 366, pack: 31, longPack: 366 } as const;
/** Packs of a farm that are made in the queue, and how long each is kept. */
export const PACKS = { most: 20, keptDays: 7 } as const;
/** Gaps and exceedances of one reply; how many there are is said. */
export const TAKE_LISTED = 500;

/** What a meter's volumes are made of, the surest first. */
export const takeMetrics = ['pulsesTotal', 'volumeTotalL', 'pulses', 'volumeL', 'flowLpm'] as const;
export type TakeMetric = (typeof takeMetrics)[number];

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', description: 'YYYY-MM-DD, standard time' });
const most = (unit: string) =>
  nullable(
    Type.Number({ minimum: 0, maximum: 1e9, description: `${unit}; null: the consent says nothing of it` }),
  );

const meterEntries = {
  deviceUID: Uid,
  metric: oneOf(takeMetrics),
  site: LineText({ minLength: 1, maxLength: 60, description: "the council's name of the place" }),
  measure: LineText({ minLength: 1, maxLength: 60, description: "the council's name of what is measured" }),
  startsAt: Time,
  endsAt: nullable({ ...Time, description: 'when it was taken out; null: it is in place' }),
  verifiedOn: nullable(Day),
  nextVerification: nullable(Day),
  pipe: oneOf(['full', 'open']),
  m3PerUnit: Type.Number({ exclusiveMinimum: 0, maximum: 1000, description: 'm³ of one count' }),
  isByVolume: Type.Boolean({
    description: 'it logs each time that so much has gone through, and says hourly at least that it is alive',
  }),
};

const Restriction = Type.Object({
  from: Time,
  to: Time,
  kind: oneOf(['cease', 'rate', 'volume']),
  percent: Type.Number({
    minimum: 0,
    maximum: 100,
    description: 'of the rate or the day’s volume that is left',
  }),
  note: LineText({ maxLength: 200 }),
});
export type Restriction = Static<typeof Restriction>;

const entries = {
  consentNo: LineText({ minLength: 1, maxLength: 60 }),
  holder: LineText({ maxLength: 120 }),
  council: LineText({ maxLength: 120 }),
  source: LineText({ maxLength: 120 }),
  maxLps: most('L/s'),
  maxM3Day: most('m³'),
  maxM37Day: most('m³ in seven days that roll'),
  maxM3Year: most('m³ from 1 July to 30 June'),
  validFrom: nullable(Day),
  validTo: nullable(Day),
  restrictionNote: LinesText({ maxLength: 1000 }),
  restrictions: Type.Array(Restriction, { maxItems: TAKES.restrictions }),
};

const RegisterEntry = {
  at: Time,
  register: Type.Number({ minimum: 0, maximum: 1e12, description: 'm³, as the meter itself shows it' }),
  note: LineText({ maxLength: 200 }),
};

export const TakeMeter = Type.Object({
  uid: Uid,
  ...meterEntries,
  device: Type.String({ description: "the sensor's name" }),
  isGone: Type.Boolean({ description: 'the sensor was deleted' }),
  readings: Type.Array(Type.Object({ uid: Uid, ...RegisterEntry, by: Type.String() }), {
    description: 'of the register by people, the newest first',
  }),
});
export type TakeMeter = Static<typeof TakeMeter>;

/** A consent to take water, with the meters that measure it. */
export const WaterTake = Type.Object({
  uid: Uid,
  ...entries,
  meters: Type.Array(TakeMeter, { description: 'by place, the first first' }),
  version: Type.Integer({ minimum: 1 }),
  updatedAt: Time,
});
export type WaterTake = Static<typeof WaterTake>;
export type TakeMeterEntries = Pick<TakeMeter, keyof typeof meterEntries>;
export type TakeEntries = Pick<WaterTake, keyof typeof entries>;

/** A sensor that may be a take's meter. */
const MeterChoice = Type.Object({
  uid: Uid,
  name: Type.String(),
  metric: oneOf(takeMetrics),
  m3PerUnit: Type.Number(),
  hasSpoken: Type.Boolean({ description: 'it has told this once' }),
});
export type MeterChoice = Static<typeof MeterChoice>;

const farmIn = (where: 'query' | 'body') => ({ farm: { in: where, name: 'farmUID' } }) as const;
const Takes = Type.Object({ takes: Type.Array(WaterTake, { description: 'by consent' }) });

export const listTakes = defineEndpoint({
  key: 'GET /water-take',
  tag,
  summary: "The farm's consents to take water with their meters, and the sensors that may measure one",
  needs: needs.readSensors,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({ ...Takes.properties, choices: Type.Array(MeterChoice) }),
});

const meters = Type.Array(Type.Object({ uid: Type.Optional(Uid), ...meterEntries }), {
  maxItems: TAKES.meters,
  description: 'a known one by its uid; one that is left out is removed with the readings of its register',
});

export const addTake = defineEndpoint({
  key: 'POST /water-take',
  tag,
  summary: 'Enter a consent to take water',
  needs: needs.editSensors,
  once: true,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({ farmUID: Uid, ...entries, meters }),
  reply: WaterTake,
});

export const changeTake = defineEndpoint({
  key: 'PUT /water-take',
  tag,
  summary:
    'Change a take and its meters. 409 with the newer one when somebody else changed it since `version`',
  needs: needs.editSensors,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({ farmUID: Uid, uid: Uid, version: Type.Integer({ minimum: 1 }), ...entries, meters }),
  reply: WaterTake,
});

export const deleteTake = defineEndpoint({
  key: 'DELETE /water-take',
  tag,
  summary: 'Delete a take. What its meters said stays; readings of their registers go with it',
  needs: { anyOf: [can('sensors', 'Delete')] },
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid, uid: Uid }),
  reply: Type.Object({ deleted: Type.Boolean() }),
});

export const addRegisterReading = defineEndpoint({
  key: 'POST /water-take/reading',
  tag,
  summary: 'Enter what the meter itself shows, to be compared with what came by telemetry',
  needs: needs.editSensors,
  once: true,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({ farmUID: Uid, meterUID: Uid, ...RegisterEntry }),
  reply: WaterTake,
});

export const deleteRegisterReading = defineEndpoint({
  key: 'DELETE /water-take/reading',
  tag,
  summary: 'Take back a reading of a register that was entered wrongly',
  needs: needs.editSensors,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid, readingUID: Uid }),
  reply: WaterTake,
});

export const noteGap = defineEndpoint({
  key: 'PUT /water-take/gap',
  tag,
  summary: 'Note why nothing is known of a time; an empty note takes it away',
  needs: needs.editSensors,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({ farmUID: Uid, uid: Uid, from: Time, to: Time, note: LineText({ maxLength: 300 }) }),
  reply: Type.Object({ note: Type.String() }),
});

const Volume = nullable(Type.Number({ description: 'm³; null: not known' }));
const State = oneOf(volumeStates);

export const TakeRow = Type.Object({
  end: Type.Number({ description: 'epoch ms' }),
  m3: Volume,
  state: State,
  known: nullable(
    Type.Number({
      description: 'm³ that are sure, of a missing one the least, without gaps; null: nothing is',
    }),
  ),
  before: Volume,
  after: Volume,
  code: Type.Integer({ description: 'quality code as the national schema has it, a proposal' }),
});

const volumesOf = { farmUID: Uid, uid: Uid };

export const takeRows = defineEndpoint({
  key: 'GET /water-take/rows',
  tag,
  summary: `Quarters of an hour of each place of a take, of standard time. At most ${TAKE_DAYS.rows} days, both included`,
  needs: needs.readSensors,
  target: farmIn('query'),
  query: Type.Object({ ...volumesOf, from: DayText, to: DayText }),
  reply: Type.Object({
    places: Type.Array(
      Type.Object({ site: Type.String(), measure: Type.String(), rows: Type.Array(TakeRow) }),
    ),
  }),
});

export const TakeDay = Type.Object({
  day: Day,
  m3: Type.Number({
    description:
      'the least that is sure: rows, what is sure of missing ones, and gaps that lie in the day whole',
  }),
  cutM3: Type.Number({
    description: 'of gaps over its edges, in all: what of that is this day’s nobody knows',
  }),
  isWhole: Type.Boolean({ description: 'false: something may have been taken that is in no figure' }),
  rows: Type.Integer({ description: 'quarters that are over; 96 of a whole day' }),
  measured: Type.Integer(),
  shared: Type.Integer(),
  estimated: Type.Integer(),
  missing: Type.Integer(),
  highestLps: nullable(Type.Number()),
  cells: Type.String({
    description:
      'a letter for each quarter since midnight: m measured, z measured zero, s shared out, e estimated, - missing; a space where no meter was in place',
  }),
  hasOldSettings: Type.Boolean({
    description:
      'its readings are no longer kept, and a meter was reckoned with other settings than those of now, or by an older version: what a count is, what can be, where it runs over',
  }),
});
export type TakeDay = Static<typeof TakeDay>;

/** Why nothing is known: readings are no longer kept; we did not listen; its counter began anew, was set back or is another one's; it was silent. */
export const gapCauses = ['outage', 'counter', 'silent', 'notInPlace', 'notKept'] as const;
export const TakeGap = Type.Object({
  from: Time,
  to: Time,
  rows: Type.Integer(),
  m3: Volume,
  isCut: Type.Boolean({
    description:
      'it goes on before or after what is asked for: of the part of it that is listed no volume is known',
  }),
  cause: oneOf(gapCauses),
  note: Type.String({ description: 'of a person' }),
});
export type TakeGap = Static<typeof TakeGap>;

export const TakeExceedance = Type.Object({
  limit: oneOf(limitKinds),
  at: Type.Object({ from: Time, to: Time }),
  value: Type.Number({ description: 'L/s of a rate, else m³' }),
  most: Type.Number(),
  isWhole: Type.Boolean({ description: 'false: `value` is the least that is sure' }),
  isWithinAccuracy: Type.Boolean(),
  isRestricted: Type.Boolean(),
});
export type TakeExceedance = Static<typeof TakeExceedance>;

export const TakeCheck = Type.Object({
  site: Type.String(),
  from: Time,
  to: Time,
  register: Type.Number(),
  telemetry: Volume,
  percent: nullable(Type.Number()),
  isGood: Type.Boolean(),
  isOpen: Type.Boolean({ description: 'telemetry of its end may still come' }),
});
export type TakeCheck = Static<typeof TakeCheck>;

const Use = Type.Object({
  used: Type.Number({ description: 'm³ that are sure' }),
  cutM3: Type.Number({
    description: 'm³ of gaps over its start or end, in all: what of that is its own nobody knows',
  }),
  isWhole: Type.Boolean({ description: 'false: something may have been taken that is in no figure' }),
  measuredFrom: nullable({
    ...Time,
    description: 'a meter was in place since then only; null: all the time',
  }),
  measuredTo: nullable({ ...Time, description: 'a meter was in place until then only; null: it is' }),
  most: nullable(Type.Number({ description: 'as restricted; null: no limit, or the consent does not hold' })),
  left: nullable(Type.Number()),
  reachedAt: nullable({
    ...Time,
    description: 'when the rest is used at this rate; null: it is not, or not known',
  }),
  isRestricted: Type.Boolean({ description: 'a restriction makes it less, or lets nothing be taken' }),
});
export type TakeUseNow = Static<typeof Use>;

export const takeDays = defineEndpoint({
  key: 'GET /water-take/days',
  tag,
  summary: `A take by day of standard time, with what is missing, what was above its limits, and what is left. This water year unless it is said, ${TAKE_DAYS.days} days at most`,
  needs: needs.readSensors,
  target: farmIn('query'),
  query: Type.Object({ ...volumesOf, from: Type.Optional(DayText), to: Type.Optional(DayText) }),
  reply: Type.Object({
    standardTime: Type.String({ description: 'NZST, or how far it is from UTC' }),
    from: Day,
    to: Day,
    until: nullable({ ...Time, description: 'so far quarters are over; null: none is' }),
    days: Type.Array(TakeDay),
    taken: Type.Object(
      { m3: Type.Number(), cutM3: Type.Number(), isWhole: Type.Boolean() },
      { description: 'in all these days: gaps over midnight between two of them are in it' },
    ),
    gaps: Type.Array(TakeGap, { description: `the newest first, ${TAKE_LISTED} at most` }),
    gapCount: Type.Integer(),
    exceedances: Type.Array(TakeExceedance, { description: `the newest first, ${TAKE_LISTED} at most` }),
    exceedanceCount: Type.Integer(),
    checks: Type.Array(TakeCheck),
    use: Type.Object(
      {
        consent: oneOf(['valid', 'notYet', 'ended']),
        today: Use,
        sevenDays: Use,
        year: Use,
        lps: nullable(Type.Number({ description: 'of the last hour' })),
      },
      { description: 'as of now' },
    ),
  }),
});

const mayPack = { allOf: [can('sensors', 'Read'), flag('export')] } as const;
const ofPack = {
  ...volumesOf,
  from: DayText,
  to: DayText,
  codes: Type.Optional(Type.Boolean({ description: 'quality codes; they are there unless it is said' })),
  gapsLeftOut: Type.Optional(Type.Boolean({ description: 'in the Hilltop file' })),
};

export const takePack = defineEndpoint({
  key: 'GET /water-take/pack',
  tag,
  summary: `What a council is handed: a zip of volumes, gaps, exceedances, a Hilltop file and the readings that all of it rests on; the same question gives the same bytes while nothing came since. ${TAKE_DAYS.pack} days at most, both included`,
  needs: mayPack,
  target: farmIn('query'),
  query: Type.Object(ofPack),
  sends: { types: ['application/zip'], withinSeconds: 120 },
  makesFile: true,
  reply: RawReply,
});

export const makeTakePack = defineEndpoint({
  key: 'POST /water-take/pack',
  tag,
  summary: `Have such a pack of up to ${TAKE_DAYS.longPack} days made; it is kept for ${PACKS.keptDays} days`,
  needs: mayPack,
  once: true,
  target: farmIn('body'),
  body: Type.Object(ofPack),
  reply: Type.Object({ id: Uid }),
});

export const MadePack = Type.Object({
  id: Uid,
  jobId: { ...Uid, description: 'of POST /job/cancel' },
  mayCancel: Type.Boolean({ description: 'whoever asked for it may, and the owner of the farm' }),
  from: Day,
  to: Day,
  codes: Type.Boolean(),
  gapsLeftOut: Type.Boolean(),
  by: Type.String(),
  askedAt: Time,
  state: Type.Enum([...longJobStates]),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  progressText: Type.String(),
  error: Type.String(),
  bytes: nullable(Type.Integer({ description: 'null: it is not made yet' })),
  keptUntil: Time,
});
export type MadePack = Static<typeof MadePack>;

export const listTakePacks = defineEndpoint({
  key: 'GET /water-take/packs',
  tag,
  summary: 'Packs of a take that were asked for, the newest first, with how far each is',
  needs: mayPack,
  target: farmIn('query'),
  query: Type.Object(volumesOf),
  reply: Type.Object({ packs: Type.Array(MadePack) }),
});

export const filledRows = defineEndpoint({
  key: 'GET /water-take/packs/filled',
  tag,
  summary: 'Of packs that are made, how many quarters that were missing are known by now: readings came late',
  needs: mayPack,
  target: farmIn('query'),
  query: Type.Object(volumesOf),
  reply: Type.Object({
    filled: Type.Array(Type.Object({ id: Uid, rows: Type.Integer({ minimum: 1 }) }), {
      description: 'those that a pack made now would have more of',
    }),
  }),
});

export const takePackFile = defineEndpoint({
  key: 'GET /water-take/pack/file',
  tag,
  summary: 'A pack that was made',
  needs: mayPack,
  target: farmIn('query'),
  query: Type.Object({ farmUID: Uid, id: Uid }),
  sends: { types: ['application/zip'] },
  makesFile: true,
  reply: RawReply,
});
