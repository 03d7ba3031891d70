import Type, { type Static } from 'typebox';
import { Description, Epoch, Version } from './devices.ts';
import { defineEndpoint } from './endpoint.ts';
import { WaterApplication } from './farms.ts';
import { can, flag, needs } from './permissions.ts';
import { beliefBases, beliefCauses, beliefStates } from './rules/valve-belief.ts';
import { LatLng, LineText, nullable, oneOf, Time, Uid } from './schemas.ts';
import { Undoable } from './undo.ts';

const tag = 'Groups';
const read = { anyOf: [can('groups', 'Read')] } as const;
const manage = { anyOf: [flag('manageGroupDevices')] } as const;

export const Group = Type.Object({
  _id: Uid,
  id: Uid,
  farmUID: Uid,
  name: Type.String(),
  description: Type.String(),
  isLateral: Type.Boolean(),
  walConfig: WaterApplication,
  amountOfIpc: Type.Integer({ description: 'sprinklers in service: those that commands to the group reach' }),
  amountOfIpcInhibited: Type.Integer({ description: 'of these, those that last said they are inhibited' }),
  version: Version,
  createdAt: Time,
  updatedAt: Time,
});
export type Group = Static<typeof Group>;

const fields = {
  name: LineText({ minLength: 1, maxLength: 40 }),
  description: Type.Optional(Description),
  isLateral: Type.Optional(Type.Boolean()),
  walConfig: Type.Optional(WaterApplication),
};

export const listGroups = defineEndpoint({
  key: 'GET /groups',
  tag,
  summary: "The farm's groups, by name",
  needs: read,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({ groups: Type.Array(Group) }),
});

export const groupsCard = defineEndpoint({
  key: 'GET /groups-card',
  tag,
  summary: "Cards of the farm's groups",
  needs: read,
  target: { farm: { in: 'query', name: 'fid' } },
  query: Type.Object({ fid: Uid }),
  reply: Type.Object({ groups: Type.Array(Group) }),
});

/** Groups are found through their farm. */
const ofGroup = { group: { in: 'query', name: 'groupId' } } as const;
const ofBody = { group: { in: 'body', name: 'groupId' } } as const;

export const getGroup = defineEndpoint({
  key: 'GET /group',
  tag,
  summary: 'One group',
  needs: read,
  target: ofGroup,
  query: Type.Object({ groupId: Uid }),
  reply: Group,
});

export const createGroup = defineEndpoint({
  key: 'POST /group',
  once: true,
  tag,
  summary: 'Add a group. Its name is the only one on the farm; FARM is taken',
  needs: { anyOf: [can('groups', 'Create')] },
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({ farmUID: Uid, ...fields }),
  reply: Type.Object({ id: Uid }),
});

export const updateGroup = defineEndpoint({
  key: 'PUT /group',
  tag,
  summary: 'Change a group. 409 with the newer record when somebody else changed it since `version`',
  needs: { anyOf: [can('groups', 'Edit')] },
  target: { group: { in: 'body', name: 'id' } },
  body: Type.Object({ id: Uid, version: Type.Optional(Version), ...fields }),
  reply: Type.Object({ id: Uid, group: Group }),
});

export const deleteGroup = defineEndpoint({
  key: 'DELETE /group',
  tag,
  summary: 'Delete a group; its devices stay on the farm',
  needs: { anyOf: [can('farms', 'Delete')] },
  target: ofGroup,
  query: Type.Object({ groupId: Uid }),
  reply: Undoable,
});

export const groupDevices = defineEndpoint({
  key: 'GET /group/devices',
  tag,
  summary: "The group's sprinklers and points of interest, and where the farm is",
  needs: manage,
  target: ofGroup,
  query: Type.Object({ groupId: Uid }),
  reply: Type.Object({
    id: Uid,
    name: Type.String(),
    description: Type.String(),
    farmLocation: LatLng,
    farmBoundary: Type.Array(LatLng),
    ipcs: Type.Array(Uid),
    pois: Type.Array(Uid),
  }),
});

const Members = Type.Object({
  groupId: Uid,
  ipcs: Type.Optional(Type.Array(Uid, { maxItems: 5000 })),
  pois: Type.Optional(Type.Array(Uid, { maxItems: 5000 })),
});

export const addGroupDevices = defineEndpoint({
  key: 'PUT /group/devices/add',
  tag,
  summary:
    'Put devices into the group. A sprinkler is in one lateral group at most: 409 names it and the other group',
  needs: manage,
  target: ofBody,
  body: Members,
  reply: Type.Object({ success: Type.Boolean(), changed: Type.Integer() }),
});

export const removeGroupDevices = defineEndpoint({
  key: 'PUT /group/devices/remove',
  tag,
  summary: 'Take devices out of the group',
  needs: manage,
  target: ofBody,
  body: Members,
  reply: Type.Object({ success: Type.Boolean(), changed: Type.Integer() }),
});

export const removeAllGroupDevices = defineEndpoint({
  key: 'PUT /group/devices/remove-all',
  tag,
  summary: 'Take all devices out of the group',
  needs: manage,
  target: ofBody,
  body: Type.Object({ groupId: Uid }),
  reply: Type.Object({ success: Type.Boolean(), changed: Type.Integer() }),
});

/** A sprinkler as maps and status lists have it. */
export const IpcStatus = Type.Object({
  id: Uid,
  name: Type.String(),
  serial: Type.String(),
  mac: Type.String(),
  lat: nullable(Type.Number()),
  lng: nullable(Type.Number()),
  channel: Type.Integer(),
  farmid: Type.String(),
  groups: Type.Array(Type.String()),
  condition: Type.Integer({
    description:
      '-1 inhibited, 0 ok, 1 out of contact, 2 error, 5 spare or out of service, 7 ready spare just made of a point of interest, 1000 active',
  }),
  active: Type.Boolean({
    description:
      'it waters now, may do so, or should have stopped and has not said so, whatever its condition is',
  }),
  isInhibited: Type.Boolean(),
  stopWanted: Type.Optional(
    nullable({
      ...Epoch,
      description:
        'since when a person wants it to water nothing, from the tap on, also before it has said so; left out: nobody does',
    }),
  ),
  isOutOfContact: Type.Boolean(),
  hasError: Type.Boolean({ description: 'any of the three, but for a schedule that is coming' }),
  hasBatteryError: Type.Boolean(),
  hasClockError: Type.Boolean(),
  hasScheduleError: Type.Boolean({ description: 'it says another schedule than it is to hold' }),
  isScheduleComing: Type.Boolean({
    description:
      'that is because the newer one is being sent to it, or it took that and has not said so yet: no error as long as it is so',
  }),
  isPlaceholder: Type.Boolean(),
  isSpareUnit: Type.Boolean(),
  isPartSprinkler: Type.Boolean(),
  outOfService: Type.Boolean(),
  spareStatus: Type.Integer(),
  charge: nullable(Type.Number({ description: '%' })),
  clock: nullable(Type.Number({ description: 's' })),
  mode: nullable(Type.String()),
  hops: nullable(Type.Integer()),
  lastpoll: Epoch,
  statustime: Epoch,
  laststatus: Type.String({ description: "statustime by the farm's clock, DD/MM/YYYY HH:mm; empty: never" }),
  laststatusraw: Epoch,
  schedulenum: nullable(Type.Integer({ description: 'schedule entries that it says it holds' })),
  schedname: nullable(Type.String({ description: 'its schedule group in what was last sent to it' })),
  schedules: Type.Integer({ description: 'minutes of watering in a cycle of what was last sent to it' }),
  curCycleDay: nullable(Type.Integer({ description: 'today, from 1; null: it has not said' })),
  cycleLen: Type.Integer({ description: 'days' }),
  ipc_crc: nullable(Type.String({ description: 'of the schedule that it says it holds' })),
  inc_crc: nullable(
    Type.String({
      description:
        'of what was last sent to it, or is on its way; D6:DA: it is to hold nothing; null: nobody on the farm was sent anything',
    }),
  ),
  valveOpen: nullable(Type.Boolean({ description: 'as it last said' })),
  valveAt: Epoch,
  belief: nullable(
    Type.Object(
      {
        state: oneOf(beliefStates),
        since: nullable(Epoch),
        until: nullable(Epoch),
        basis: oneOf(beliefBases),
        cause: oneOf(beliefCauses),
      },
      {
        description:
          'what its valve is taken to do, and on what that rests; null: closed, as it said at valveAt',
      },
    ),
  ),
  activeAt: Type.Array(
    Type.Object({
      startAt: Epoch,
      endAt: Epoch,
      cycle: Type.Integer(),
      activeNow: Type.Boolean(),
    }),
    {
      description:
        'by what it holds, or where nobody knows that by what was last sent to it: each watering that is under way, else the next one',
    },
  ),
});
export type IpcStatus = Static<typeof IpcStatus>;

const Marker = Type.Object({
  id: Uid,
  name: Type.String(),
  serial: Type.String(),
  type: Type.Integer(),
  lat: nullable(Type.Number()),
  lng: nullable(Type.Number()),
  statustime: Epoch,
  icon: Type.Optional(Type.String({ description: "a point of interest's kind" })),
});

/** What a map of a group, or of the whole farm (name FARM), shows. */
export const GroupInfo = Type.Object({
  name: Type.String(),
  ipcs: Type.Array(IpcStatus),
  sensors: Type.Array(Marker),
  repeaters: Type.Array(Marker),
  gateways: Type.Array(Marker),
  pois: Type.Array(Marker),
  boundaries: Type.Array(LatLng),
  props: Type.Object({ channel: Type.Integer(), farmId: Type.String() }),
  numberOfIpcs: Type.Integer({ description: 'in service' }),
  ipcsOOC: Type.Integer({ description: 'out of contact' }),
  ipcsActive: Type.Integer({ description: 'watering now, with nothing wrong' }),
  ipcsClock: Type.Integer({ description: 'clock errors of units in service and in contact' }),
  ipcsCharge: Type.Integer({ description: 'low batteries of units in service and in contact' }),
  ipcsSched: Type.Integer({ description: 'schedule errors of units in service and in contact' }),
  ipcsSpare: Type.Integer({ description: 'spare or out of service' }),
});
export type GroupInfo = Static<typeof GroupInfo>;

export const groupInfo = defineEndpoint({
  key: 'GET /group/info',
  tag,
  summary: 'Every device of a group, or of the whole farm (FARM), with how it is',
  needs: { anyOf: [flag('sprinklersStatus')] },
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid, name: Type.String({ minLength: 1, maxLength: 40 }) }),
  reply: GroupInfo,
});

/** The whole farm as its group FARM is, with the farm's own words. */
export const FarmOverview = Type.Object({ ...GroupInfo.properties, desc: Type.String() });
export type FarmOverview = Static<typeof FarmOverview>;

export const irrigationStatus = defineEndpoint({
  key: 'GET /irrigation/status',
  tag: 'Irrigation devices',
  summary: 'Farm overview: every device, and the sprinklers by what needs a person',
  needs: { anyOf: [flag('sprinklersStatus')] },
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: FarmOverview,
});

export const SprinklerCounts = Type.Object({
  failed: Type.Integer({ description: 'out of contact' }),
  neverContacted: Type.Integer({ description: 'those of them that were never heard' }),
  ok: Type.Integer({ description: 'those that water now among them' }),
  inhibited: Type.Integer(),
  stopWanted: Type.Integer({
    description:
      'that a person inhibited and that have not said so yet; also spare ones and those out of service',
  }),
  active: Type.Integer(),
  attention: Type.Integer({ description: 'in contact, with an error' }),
  total: Type.Integer({ description: 'in service' }),
  watering: Type.Object(
    {
      said: Type.Integer({ description: 'that said, or answered, that they are open' }),
      planned: Type.Integer({ description: 'that should be by what they hold, and have not said so' }),
      overdue: Type.Integer({ description: 'that said so, and should be closed by now' }),
      unplanned: Type.Integer({
        description:
          'of `said`: those that neither a schedule nor a command asks for, for longer than clocks and radio explain',
      }),
      stuck: Type.Optional(
        Type.Object(
          { overdue: Type.Array(Uid), unplanned: Type.Array(Uid) },
          { description: 'which these are; without where there is none, or more than a few' },
        ),
      ),
    },
    { description: 'those in service that are taken to water, whatever else is wrong with them' },
  ),
  troubled: Type.Optional(
    Type.Object(
      {
        silent: Type.Array(Uid, { description: 'of `failed`, without those that were never heard' }),
        oneError: Type.Array(Uid, {
          description:
            'of `attention`: those with no more than one error, which is all that is wrong with them',
        }),
      },
      { description: 'which these are; none of a kind of which there are more than a few' },
    ),
  ),
  next: nullable(
    Type.Object(
      {
        startAt: Epoch,
        units: Type.Integer(),
        group: nullable(Type.String({ description: 'the schedule group of all of them; null: of several' })),
      },
      { description: 'the next watering of those in service and not inhibited, by what they hold' },
    ),
  ),
  behind: Type.Array(
    Type.Object({
      gatewayUID: Uid,
      units: Type.Integer({
        description: 'in service, once heard, and not since this gateway was last in contact',
      }),
      silent: Type.Integer({
        description:
          'those of them that are out of contact, and were in contact when this gateway fell silent',
      }),
    }),
    { description: 'by gateway, whom nobody hears while it is silent' },
  ),
});
export type SprinklerCounts = Static<typeof SprinklerCounts>;

export const ipcStatus = defineEndpoint({
  key: 'GET /ipc/status',
  tag: 'Irrigation devices',
  summary:
    'How many sprinklers in service are well, need attention, are out of contact, inhibited or watering',
  needs: needs.countSprinklers,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: SprinklerCounts,
});
