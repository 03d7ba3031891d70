import Type, { type Static, type TSchema } from 'typebox';
import { BEGIN_WITHIN_MAX_MIN } from '@headrace/device/command-life';
import { type CommandPayload, LAST_COMMAND } from '@headrace/device/commands';
import { type GatewaySetting, gatewaySettingSchemas } from '@headrace/device/gateway-settings';
import {
  commandName,
  commandNeeds,
  commandStates,
  commandTypes,
  type UnitState,
  unitStates,
} from './command-types.ts';
import { FailedCommand } from './attention.ts';
import { defineEndpoint } from './endpoint.ts';
import { COMMAND_DETAILS, COMMAND_DETAILS_MAX, UNSEEN_DAYS, UNSEEN_MOST } from './limits.ts';
import { flag, type Need, needs } from './permissions.ts';
import { nullable, oneOf, Success, Time, Uid } from './schemas.ts';

const Count = Type.Integer({ minimum: 0 });

/** One unit (or gateway) that a command is for, and how far it is with it. */
export const CommandUnit = Type.Object({
  uid: Uid,
  name: Type.String(),
  serialNumber: Type.String(),
  state: oneOf(unitStates),
  at: Time,
  note: Type.String({
    description: 'why it failed, was skipped or ran out of time; empty when there is nothing to say',
  }),
  /** Of a skipped unit: it must not water, or was not heard for long. Else it held what it was to get. */
  isLeftOut: Type.Boolean(),
  /** Until when it gets its schedule by itself once it is heard; null: it does not. */
  waitsUntil: nullable(Time),
  valve: nullable(
    Type.Object({
      openedAt: Time,
      /** When the unit closes by itself, whatever else happens. */
      closesBy: Time,
      closedAt: nullable(Time),
      /** Empty while it is open and within its limit. */
      why: Type.String(),
    }),
  ),
});
export type CommandUnit = Static<typeof CommandUnit>;

/** When a send will be done, from how fast the units of its gateways answer; `atMost` while too few answers are known. */
export const CommandFinish = Type.Union([
  Type.Object({ expected: Time, low: Time, high: Time }),
  Type.Object({ atMost: Time }),
]);
export type CommandFinish = Static<typeof CommandFinish>;

/** Other commands that units of a command wait for before a gateway is given them. */
export const Behind = Type.Object({
  /** Those that most of them wait for. */
  commands: Type.Array(
    Type.Object({
      _id: Uid,
      title: Type.String(),
      /** What it is for, as a command's. */
      name: Type.String(),
      sentBy: Type.String({ description: "as a command's" }),
      isAutomatic: Type.Boolean(),
      total: Count,
      done: Count,
      failed: Count,
      hadIt: Count,
      leftOut: Count,
      /** How many units of the command that waits do so for this one. */
      units: Count,
    }),
  ),
  /** How many others. */
  more: Count,
  /** How many units the command that waits has, whether they wait or not. */
  of: Count,
});
export type Behind = Static<typeof Behind>;

export const Command = Type.Object({
  _id: Uid,
  farmUID: Uid,
  type: Type.Integer(),
  title: Type.String(),
  /** What it is for: a unit, a group, a gateway or the whole farm. */
  name: Type.String(),
  serialNumber: Type.String(),
  groupUID: nullable({ ...Uid, description: 'of what is for a group; null: for the farm, or one by one' }),
  sentBy: Type.String({
    description: "a person's name; empty when the account was deleted or it was sent by itself",
  }),
  cancelledBy: Type.String({
    description:
      'the name of who last took back what waited of it; empty when nobody did, or the account was deleted',
  }),
  isAutomatic: Type.Boolean({ description: 'sent by the server of its own accord' }),
  createdAt: Time,
  expiresAt: Time,
  state: oneOf(commandStates),
  stateAt: Time,
  total: Count,
  done: { ...Count, description: 'with those that had it already' },
  failed: Count,
  hadIt: { ...Count, description: 'had what it sends before, by their own word: it went to none of them' },
  leftOut: { ...Count, description: 'must not water, or were not heard for long: it went to none of them' },
  /** Of schedules: units that it didn't reach and that get theirs by itself once they are heard. */
  waiting: Count,
  /** What units of it that no gateway was given wait for; null: for nothing but their gateway. */
  behind: nullable(Behind),
  /** One sentence on how it stands, true at `stateAt`. */
  message: Type.String(),
  maxOpenMinutes: nullable(Type.Integer()),
  /** While it is under way, of what goes to many units a few at a time. */
  finish: nullable(CommandFinish),
  firstFinish: nullable(CommandFinish),
});
export type Command = Static<typeof Command>;

export const CommandStep = Type.Object({
  at: Time,
  state: Type.String(),
  name: nullable(Type.String()),
  note: Type.String(),
});
export type CommandStep = Static<typeof CommandStep>;

/** No control characters: PostgreSQL keeps no NUL, and a gateway's message would carry them on. */
const printable = '^[^\\u0000-\\u001f\\u007f]*$';
const Id = Type.String({ minLength: 1, maxLength: 100, pattern: printable });
const MacOrDash = Type.String({
  maxLength: 40,
  pattern: printable,
  description: 'of the unit or gateway, or "-" for the whole farm',
});

const RequestId = Type.String({
  minLength: 8,
  maxLength: 64,
  pattern: printable,
  description:
    'made by the sender for one tap: the same again answers with the first command. What stops water is always sent',
});

export const CommandRequest = Type.Object({
  farmUID: Uid,
  type: Type.Integer({ minimum: 1, maximum: LAST_COMMAND }),
  name: Type.Optional(Type.String({ maxLength: 100 })),
  mac: Type.Optional(MacOrDash),
  serialNumber: Type.Optional(Type.String({ maxLength: 100, pattern: printable })),
  payload: Type.Optional(Type.Record(Type.String({ maxLength: 40 }), Type.Unknown(), { maxProperties: 20 })),
  requestId: Type.Optional(RequestId),
});
export type CommandRequest = Static<typeof CommandRequest>;

/** Shared by all payloads: what the sender is told, or that nothing is to be told. */
const notice = {
  hideNotification: Type.Optional(Type.Boolean()),
  resultMessage: Type.Optional(Type.String({ maxLength: 200, pattern: printable })),
};
/** A group's uid, or FARM. An empty one would mean the whole farm by mistake. */
const GroupUid = Type.String({ minLength: 1, maxLength: 24, pattern: printable });
/** Chosen one by one: of the group, or of the farm, none but these. */
const chosen = {
  uids: Type.Optional(
    Type.Array(Uid, {
      minItems: 1,
      maxItems: 5000,
      description: 'only these sprinklers of the group, or of the farm',
    }),
  ),
};
const group = {
  ...chosen,
  groupUID: GroupUid,
  groupName: Type.Optional(Type.String({ maxLength: 100, pattern: printable })),
};
/** Water that has not begun to run by then does not. */
const begin = {
  beginWithinMinutes: Type.Optional(
    Type.Integer({ minimum: 1, maximum: BEGIN_WITHIN_MAX_MIN, description: '10 unless said' }),
  ),
};
/** Without it who must not water is left out. */
const alsoInhibited = {
  alsoInhibited: Type.Optional(
    Type.Boolean({
      description:
        'also to sprinklers that are inhibited, which a schedule lets water again and a Valve On opens once; they are left out unless true',
    }),
  ),
};
const opening = {
  ...begin,
  ...alsoInhibited,
  maxOpenMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440 })),
};

/** Members of `payload` by the name that a command's row gives; `plain` ones take none but those of `notice`. */
export const commandPayloads = {
  plain: Type.Object(notice),
  group: Type.Object({ ...notice, ...group }),
  /** With a group, only gateways of its units count. */
  ping: Type.Object({ ...notice, groupUID: Type.Optional(GroupUid) }),
  valveOn: Type.Object({ ...notice, ...opening }),
  groupValvesOn: Type.Object({ ...notice, ...group, ...opening }),
  uninhibit: Type.Object({ ...notice, ...begin }),
  uninhibitGroup: Type.Object({ ...notice, ...group, ...begin }),
  updateSchedule: Type.Object({
    ...notice,
    ...alsoInhibited,
    setUID: Uid,
    serialNumbers: Type.Array(Id, { minItems: 1, maxItems: 5000 }),
  }),
  /** Without a group, the whole farm. */
  sendScheduleSet: Type.Object({
    ...notice,
    ...alsoInhibited,
    ...chosen,
    setUID: Uid,
    groupUID: Type.Optional(GroupUid),
    clearOthers: Type.Optional(
      Type.Boolean({
        description:
          'of the whole farm: sprinklers that the set has nothing for, and that may hold something, are cleared; so unless false',
      }),
    ),
  }),
  changeGroupComms: Type.Object({
    ...notice,
    ...group,
    commsMode: Type.Integer({ minimum: 0, maximum: 2, description: 'Mesh 0, Local 1, Hybrid 2' }),
  }),
  replace: Type.Object({
    ...notice,
    serialNumber: Id,
    mac: Type.String({ minLength: 12, maxLength: 40 }),
    sendSchedule: Type.Optional(
      Type.Boolean({ description: "the new unit gets this place's schedule, as soon as it is there" }),
    ),
  }),
  ipcUpdate: Type.Object({
    ...notice,
    name: oneOf(['Mode']),
    value: oneOf(['Mesh', 'Local', 'Hybrid']),
  }),
  toggleIO: Type.Object({
    ...notice,
    relay: Type.Integer({ minimum: 1, maximum: 6 }),
    set: Type.Boolean(),
    overriddenAt: Type.Optional(nullable(Time)),
  }),
  updateSettings: Type.Object({
    ...notice,
    settings: Type.Unsafe<Partial<Record<GatewaySetting, number>>>({
      type: 'object',
      properties: gatewaySettingSchemas,
      minProperties: 1,
    }),
  }),
} satisfies Record<CommandPayload, TSchema>;

/** What each shape of payload holds. */
export type CommandPayloads = {
  [Shape in keyof typeof commandPayloads]: Static<(typeof commandPayloads)[Shape]>;
};

/** A command that doesn't exist needs what all do; the service says that there is none. */
interface Asked {
  type: number;
  payload?: Record<string, unknown>;
}
const needsForType = ({ type, payload }: Asked): Need => {
  const name = commandName(type);
  if (name === 'Replace' && payload?.['sendSchedule'] === true) return replaceAndSend;
  return name ? commandNeeds[name] : needs.readSomething;
};
const replaceAndSend: Need = { allOf: [flag('replaceSprinkler'), flag('sendScheduleToSite')] };

export const sendCommand = defineEndpoint({
  key: 'POST /commands/send',
  tag: 'Commands',
  summary:
    'Send a command to a unit, a group, a gateway or the farm. 505 when the gateway is not there, 466 when it has not loaded the list of sprinklers',
  needs: needs.readSomething,
  needsFor: needsForType,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: CommandRequest,
  reply: Type.Object({
    commandId: Uid,
    status: oneOf(commandStates),
    /** What it waits for, as of the answer; without: for its gateway alone, for nothing, or the sender may not read commands. */
    behind: Type.Optional(Behind),
  }),
});

/** What is worth knowing before something is sent. */
export const PlanFinding = Type.Object({
  kind: oneOf([
    'inhibited',
    'notInSet',
    'keepsSchedule',
    'outOfService',
    'outOfServiceToo',
    'outOfContact',
    'unheard',
    'gatewayAway',
    'listNotLoaded',
    'notInTime',
    'gone',
    'polledAlready',
    'pumpsFirst',
    'pumpAway',
    'pumpFollowsTank',
    'gatewayCloses',
    'beyondSupply',
  ] as const),
  /** One sentence. */
  text: Type.String(),
  count: Count,
  names: Type.Array(Type.String(), { description: 'the first of them' }),
});
export type PlanFinding = Static<typeof PlanFinding>;

export const SendPlan = Type.Object({
  total: Count,
  /** Hold what they are to get, by their own word: they are left out. */
  inStep: Count,
  toDo: Count,
  /** Not heard for longer than 30 days, or never: they are asked last, or left out of a send until they are heard. */
  outOfContact: Count,
  /** Must not water, by what a person asked or, of schedules, by their own word: left out unless `alsoInhibited`. */
  inhibited: Count,
  /** Of a set for the whole farm: may hold something, and the set has nothing for them. */
  notInSet: Count,
  /** Of what lets water run: how many have their turn before it is over, and after how many minutes it is. */
  inTime: nullable(Type.Object({ count: Count, minutes: Count })),
  finish: nullable(CommandFinish),
  /** They work side by side. */
  gateways: Type.Array(
    Type.Object({
      name: Type.String(),
      isAvailable: Type.Boolean(),
      toDo: Count,
      ahead: Count,
      secondsEach: Type.Number({ description: 'measured; 180 while too few answers are known' }),
      finish: nullable(CommandFinish),
    }),
  ),
  /** What they are still busy with before it, and whose that is. What it puts an end to is none of that. */
  ahead: Type.Array(Type.String()),
  findings: Type.Array(PlanFinding),
});
export type SendPlan = Static<typeof SendPlan>;

export const planCommand = defineEndpoint({
  key: 'POST /commands/plan',
  tag: 'Commands',
  summary:
    'What sending a command would do, without sending it: to how many units, behind what, when it would be done, and what to know before',
  needs: needs.readSomething,
  needsFor: needsForType,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: CommandRequest,
  reply: SendPlan,
});

/** Of Valves Off to many: how those that failed stood by their own word. Each is counted once, as the worst that it is. */
export const Unstopped = Type.Object({
  saidOpen: Type.Integer({ minimum: 0, description: 'said open, and nothing newer' }),
  mayBeOpen: Type.Integer({ minimum: 0, description: 'was opened, and has not said since that it closed' }),
  saidClosed: Type.Integer({ minimum: 0, description: 'said closed, and nothing newer' }),
  notKnown: Type.Integer({ minimum: 0, description: 'has never said how its valve is' }),
  shelved: Type.Integer({ minimum: 0, description: 'of those: spare or out of service' }),
});
export type Unstopped = Static<typeof Unstopped>;

const Named = Type.Object({
  count: Count,
  names: Type.Array(Type.String(), { description: 'the first of them' }),
});
/** Of a send of schedules that was cancelled half-way: whom Go back would send something. */
export const GoBackPlan = Type.Object({
  /** Took it. */
  answered: Count,
  /** Have not answered, and may take it or have taken it. */
  out: Named,
  /** Of those that have not answered: not heard for longer than 30 days, or never. */
  outOfContact: Named,
  /** Were inhibited before it, and are inhibited again. */
  inhibited: Named,
});
export type GoBackPlan = Static<typeof GoBackPlan>;

export const listCommands = defineEndpoint({
  key: 'GET /commands',
  tag: 'Commands',
  summary: 'The commands of a farm, newest first, a page at a time',
  needs: needs.readCommands,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({
    farmUID: Uid,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    before: Type.Optional(Uid),
    about: Type.Optional({
      ...oneOf(['schedules', 'underWay']),
      description: 'those alone that send schedules, or that are for several sprinklers and under way',
    }),
  }),
  reply: Type.Object({ commands: Type.Array(Command), more: Type.Boolean() }),
});

export const getCommand = defineEndpoint({
  key: 'GET /command',
  tag: 'Commands',
  summary:
    'One command with its units and the steps of its life. Of many units those that failed or ran out of time come first, and `limit` says how many',
  needs: needs.readCommands,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({
    farmUID: Uid,
    commandId: Uid,
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: COMMAND_DETAILS_MAX, default: COMMAND_DETAILS }),
    ),
  }),
  reply: Type.Object({
    command: Command,
    units: Type.Array(CommandUnit, { description: '`command.total` is how many there are' }),
    /** Of all its units, also those that are left out. */
    unitStates: Type.Unsafe<Partial<Record<UnitState, number>>>(Type.Record(Type.String(), Count)),
    steps: Type.Array(CommandStep, {
      description: 'in their order: all of the command itself, and the first of its units',
    }),
    stepCount: Count,
    perMinute: nullable(
      Type.Number({
        description:
          'units that answer it in a minute, by their last answers; null: too few have answered, or none for long',
      }),
    ),
    unstopped: nullable(Unstopped),
    goBack: nullable(GoBackPlan),
  }),
});

export const unseenCommands = defineEndpoint({
  key: 'GET /commands/unseen',
  tag: 'Commands',
  summary: `The commands of the last ${UNSEEN_DAYS} days that ended badly and that the caller has not seen since, the newest ${UNSEEN_MOST} first. Without those that matter no more: somebody sent the same again, or the sprinkler took it after all, left, or was replaced`,
  needs: needs.readCommands,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({ commands: Type.Array(FailedCommand) }),
});

export const unitsUnderWay = defineEndpoint({
  key: 'GET /commands/units',
  tag: 'Commands',
  summary: 'Which sprinklers of a farm commands are under way for, the newest command first',
  needs: needs.readCommands,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({
    commands: Type.Array(
      Type.Object({
        _id: Uid,
        title: Type.String(),
        units: Type.Array(Uid, { description: 'that it has no end for yet' }),
      }),
    ),
  }),
});

export const seeCommand = defineEndpoint({
  key: 'POST /commands/seen',
  tag: 'Commands',
  summary:
    'The caller has seen how a command ended: it needs their attention no more, until it ends anew. For others nothing changes',
  needs: needs.readCommands,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({ farmUID: Uid, commandId: Uid }),
  reply: Success,
});

export const sendAgain = defineEndpoint({
  key: 'POST /commands/again',
  tag: 'Commands',
  summary:
    'Send a command once more, as a new one, to those of its units that failed or ran out of time. 409 a day after it ended, and when none is left that it is still meant for',
  needs: needs.readSomething,
  needsFor: needsForType,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({
    farmUID: Uid,
    commandId: Uid,
    type: Type.Integer({
      minimum: 1,
      maximum: LAST_COMMAND,
      description: 'of the command: who may send one may send it again',
    }),
    requestId: Type.Optional(RequestId),
  }),
  reply: Type.Object({ commandId: Uid, status: oneOf(commandStates) }),
});

export const goBackCommand = defineEndpoint({
  key: 'POST /commands/go-back',
  tag: 'Commands',
  summary:
    'Of a send of schedules that was cancelled half-way: send those of its units that it reached, or may have, what they were to water by before, and inhibit those again that it let water. 409 when none is left',
  needs: needs.readSomething,
  needsFor: needsForType,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: sendAgain.body,
  reply: Type.Object({
    commandId: Uid,
    status: oneOf(commandStates),
    /** The Inhibit of those that were inhibited before it; null: none was. */
    inhibitId: nullable(Uid),
  }),
});

/** After that it is no slip any more: Uninhibit says what it does. */
export const UNDO_WITHIN_MINUTES = 60;
/** To take an Inhibit back is to let water run. */
const needsToUndo = ({ type }: { type: number }): Need => {
  const counterparts = new Map<number, Need>([
    [commandTypes.Inhibit, commandNeeds.Uninhibit],
    [commandTypes.InhibitGroup, commandNeeds.UninhibitGroup],
  ]);
  return counterparts.get(type) ?? needsForType({ type });
};

export const undoCommand = defineEndpoint({
  key: 'POST /commands/undo',
  tag: 'Commands',
  summary: `Undo an Inhibit: what waits is taken back, and those that it stopped are uninhibited; not who was inhibited before it or by somebody after it, nor who a paddock hold stops. 409 after ${UNDO_WITHIN_MINUTES} minutes, and when nothing is left of it: none of its sprinklers is inhibited any more`,
  needs: needs.readSomething,
  needsFor: needsToUndo,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({
    farmUID: Uid,
    commandId: Uid,
    type: Type.Integer({ minimum: 1, maximum: LAST_COMMAND, description: 'of the command' }),
  }),
  reply: Type.Object({
    /** Taken back before it went out. */
    cancelled: Count,
    /** Uninhibited, by this command; null: none had to be. */
    uninhibited: Count,
    commandId: nullable(Uid),
    /** Of the uninhibited: their gateway is away, and they stay inhibited where it does not come back in time. */
    away: Count,
    /** Not inhibited by it alone: they are as before… */
    asBefore: Count,
    /** …of these inhibited still: by an Inhibit before or after it, a paddock hold, or their own word. */
    stayInhibited: Count,
  }),
});

export const cancelCommand = defineEndpoint({
  key: 'POST /commands/cancel',
  tag: 'Commands',
  summary: 'Take back what the gateway has not been given yet; 409 when it has all of it',
  needs: needs.readSomething,
  needsFor: needsForType,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({
    farmUID: Uid,
    commandId: Uid,
    type: Type.Integer({
      minimum: 1,
      maximum: LAST_COMMAND,
      description: 'of the command: who may send one may cancel it',
    }),
  }),
  reply: Type.Object({ cancelled: Count }),
});
