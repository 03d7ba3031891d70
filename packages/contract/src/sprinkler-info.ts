import Type, { type Static } from 'typebox';
import { Command, CommandUnit } from './commands.ts';
import { Epoch, SerialNumber } from './devices.ts';
import { defineEndpoint } from './endpoint.ts';
import { IpcStatus } from './groups.ts';
import { can, flag } from './permissions.ts';
import { forecastConfidences } from './rules/battery-forecast.ts';
import { conditionNames } from './rules/condition.ts';
import { clockChanges } from './rules/schedule/occurrences.ts';
import { fateKinds, fateReasonCodes } from './rules/schedule/fate.ts';
import { sprinklerAlertKinds } from './rules/sprinkler-alerts.ts';
import { beliefBases, beliefCauses, beliefStates, heldStates } from './rules/valve-belief.ts';
import { LatLng, nullable, oneOf, Uid } from './schemas.ts';
import { MmPerMin, WateringRun } from './waterings.ts';

/** Waterings ahead, and runs before, that are told of one sprinkler. */
export const SPRINKLER_TURNS = 10;

/** Whoever sees the sprinkler on a map may open it. */
export const look = { anyOf: [can('irrigationDevices', 'Read'), flag('sprinklersStatus')] } as const;
export const oneSprinkler = { sprinkler: { in: 'query', name: 'deviceId', serial: 'serial' } } as const;
export const named = {
  deviceId: Type.Optional({
    ...Uid,
    description: 'this sprinkler; one of both is needed, and this one counts',
  }),
  serial: Type.Optional({
    ...SerialNumber,
    description:
      'the sprinkler with this serial number on a farm where the caller may see it; of several one in service',
  }),
};

const Times = nullable(Epoch);
const Run = Type.Object({ startAt: Epoch, endAt: Epoch });

const Reason = Type.Object({
  code: oneOf(fateReasonCodes),
  at: nullable(
    Type.Number({
      description:
        'epoch ms: of holdsAnother since when, of held and holdEnds until when, of notHeard and clock when it was last heard',
    }),
  ),
});

const Belief = Type.Object(
  {
    state: oneOf(beliefStates),
    since: Times,
    until: Times,
    basis: oneOf(beliefBases),
    cause: oneOf(beliefCauses),
    reasons: Type.Array(Reason, {
      description: 'why it may not water as planned, or it is not sure that it does, the worst first',
    }),
    facts: Type.Object(
      {
        said: nullable(Type.Object({ isOpen: Type.Boolean(), at: Epoch, since: Epoch })),
        heardAt: Times,
        clockS: nullable(Type.Number({ description: 's that its clock is fast' })),
        run: nullable(Run),
        firstReportRun: nullable(Run),
        lastReportRun: nullable(Run),
        opening: nullable(Type.Object({ openedAt: Epoch, closesBy: Epoch })),
        unansweredUntil: Times,
        unansweredClosesBy: Times,
        offAt: Times,
      },
      {
        description:
          'what that rests on. run: by its schedule, the one under way or else the last; firstReportRun: the one that the first word of `said` falls into, lastReportRun: its newest; opening: a Valve On that nothing has ended; unansweredUntil: until when one without an answer can have begun, unansweredClosesBy: when it closes then; offAt: when a Valve Off was carried out',
      },
    ),
  },
  { description: 'what its valve is taken to do' },
);

const Entries = Type.Array(
  Type.Object({
    start: Type.Integer({ description: 'minute of the day' }),
    duration: Type.Integer({ description: 'min' }),
    cycle: Type.Integer({ description: 'day of the cycle, from 1' }),
  }),
);
const set = {
  setId: nullable(Uid),
  setName: nullable(Type.String()),
};

const Wanted = Type.Object(
  {
    ...set,
    scheduleGroup: Type.String({ description: 'the line that it waters in' }),
    crc: Type.String(),
    entries: Entries,
    cycleDays: Type.Integer(),
    since: Epoch,
    commandId: nullable({ ...Uid, description: 'the send that asked for it' }),
  },
  { description: 'what it is to water by; without entries it is to hold nothing' },
);

const Held = Type.Object(
  {
    state: oneOf(heldStates),
    ...set,
    crc: nullable(Type.String()),
    entries: nullable(Entries),
    cycleDays: nullable(Type.Integer()),
    since: Times,
    how: nullable(oneOf(['said', 'answered'])),
    stoppedAt: nullable({ ...Epoch, description: 'since when it waters no more by it: it was inhibited' }),
  },
  {
    description:
      'what it holds. wanted: what it is to; older: another that Headrace sent; foreign: one that Headrace did not send; nothing; unknown: nobody knows. Entries are null where they are not known',
  },
);

const Next = Type.Object({
  startAt: Epoch,
  endAt: Epoch,
  cycle: Type.Integer({ description: 'day of the cycle, from 1' }),
  duration: Type.Integer({ description: 'min' }),
  clock: oneOf(clockChanges),
  fate: Type.Object(
    {
      kind: oneOf(fateKinds),
      reasons: Type.Array(Reason),
      shiftS: Type.Number({ description: 's by which its clock makes it later, negative earlier' }),
    },
    { description: 'whether it will water then' },
  ),
});

const Alert = Type.Object({
  kind: oneOf(sprinklerAlertKinds),
  since: Times,
  remedy: nullable(Type.Integer({ description: 'type of the command that mends it; null: none does' })),
});
export type SprinklerAlert = Static<typeof Alert>;

const ReportTimes = Type.Object(
  {
    charge: Times,
    clock: Times,
    checksum: Times,
    entries: Times,
    cycleDay: Times,
    mode: Times,
    hops: Times,
  },
  { description: 'when it said each of these last; null: it has not said' },
);

/** The way that it is reached by. */
const RadioPath = {
  gateway: nullable(
    Type.Object(
      { uid: Uid, name: Type.String(), contactAt: Times },
      { description: 'that speaks for it, and when that one was last in contact' },
    ),
  ),
  repeater: nullable(
    Type.Object(
      { uid: Uid, name: Type.String(), at: Epoch },
      { description: 'that passed on a report of it last, and when; null: none is known to have done so' },
    ),
  ),
};

const Swap = Type.Object(
  {
    at: Epoch,
    from: Type.String({ description: 'serial number of the unit that was there' }),
    to: Type.String({ description: 'of the one that took its place' }),
  },
  { description: 'the last time that another unit took its place; null: none ever did' },
);

const Battery = Type.Object({
  charge: nullable(Type.Number({ description: '%; null: not said since the battery was replaced' })),
  at: Times,
  replacedAt: Times,
  threshold: Type.Number({ description: '%; low below it' }),
  forecast: nullable(
    Type.Object(
      {
        perDay: Type.Number({ description: '% a day, negative' }),
        days: Type.Integer({ description: 'from today until it is low' }),
        earliest: Type.Integer(),
        latest: nullable(Type.Integer({ description: 'null: not in sight at the slowest rate' })),
        confidence: oneOf(forecastConfidences),
      },
      {
        description:
          'when it will be low at the rate of the last 21 whole days with this battery; null: nothing can be said, or it does not fall',
      },
    ),
  ),
});

/** A command, and how far this sprinkler is with it. */
export const CommandOfUnit = Type.Object({ command: Command, unit: CommandUnit });
export type CommandOfUnit = Static<typeof CommandOfUnit>;

/** All of one sprinkler. */
export const SprinklerInfo = Type.Object({
  ...IpcStatus.properties,
  macAddress: Type.String(),
  location: nullable(LatLng),
  state: oneOf(conditionNames),
  farmUID: Uid,
  belief: Belief,
  wanted: nullable(Wanted),
  held: Held,
  stopWanted: nullable({
    ...Epoch,
    description:
      'since when a person wants it to water nothing, from the tap on, also before it has said so; null: nobody does',
  }),
  holdUntil: nullable({
    ...Epoch,
    description: 'until when a paddock hold keeps it from watering; null: none does',
  }),
  next: Type.Array(Next, {
    description: `the one under way and those to come by what it holds, at most ${SPRINKLER_TURNS}; none where that is not known`,
  }),
  lps: Type.Number({ description: 'L/s that it gives, as its groups or its farm are set; 0: not set' }),
  mmPerMin: MmPerMin,
  runs: Type.Array(WateringRun, { description: `the last ${SPRINKLER_TURNS}, the newest first` }),
  alerts: Type.Array(Alert, { description: 'in the order in which they are shown' }),
  battery: Battery,
  reportedAt: ReportTimes,
  ...RadioPath,
  lastSwap: nullable(Swap),
  commands: Type.Array(CommandOfUnit, {
    description: 'those under way for it, the newest first',
  }),
});
export type SprinklerInfo = Static<typeof SprinklerInfo>;

export const sprinklerInfo = defineEndpoint({
  key: 'GET /ipc/fullinfo',
  tag: 'Irrigation devices',
  summary:
    'All of one sprinkler: how it is, what it holds and is to hold, its next waterings and last runs, what is wrong and under way',
  needs: look,
  target: oneSprinkler,
  query: Type.Object(named),
  reply: SprinklerInfo,
});
