import Type, { type Static } from 'typebox';
import {
  Created,
  Description,
  Epoch,
  farmOfList,
  MacAddress,
  numberOrNull,
  place,
  placeWarning,
  RadioChannel,
  RadioFarmId,
  ReplacedAt,
  SerialNumber,
  ShortName,
  textOrNull,
  Version,
} from './devices.ts';
import { defineEndpoint } from './endpoint.ts';
import { MUCH_FROM } from './limits.ts';
import { can, needs } from './permissions.ts';
import { LatLng, nullable, Success, Time, TypedText, Uid } from './schemas.ts';
import { batchId, Undoable, undoNeeds } from './undo.ts';

const tag = 'Irrigation devices';
const read = { anyOf: [can('irrigationDevices', 'Read')] } as const;
const edit = { anyOf: [can('irrigationDevices', 'Edit')] } as const;

export const SpareReason = Type.String({ description: 'battery below 70%, clock drift above 3 seconds, …' });

/** A sprinkler as lists and forms have it. */
export const Ipc = Type.Object({
  _id: Uid,
  id: Uid,
  farmUID: Uid,
  name: Type.String(),
  description: Type.String(),
  serialNumber: Type.String(),
  macAddress: Type.String(),
  farmId: Type.String(),
  channel: Type.Integer(),
  commsMode: Type.Integer({ description: 'Mesh 0, Local 1, Hybrid 2' }),
  type: Type.Integer({ description: 'IPC 0, Pivot 1' }),
  lat: numberOrNull(),
  lng: numberOrNull(),
  groups: Type.Array(Uid),
  gatewayUID: textOrNull('24 hex characters'),
  isSpareUnit: Type.Boolean(),
  isPartSprinkler: Type.Boolean(),
  isPOI: Type.Boolean(),
  isPlaceholder: Type.Boolean(),
  outOfService: Type.Boolean(),
  reconfigure: Type.Boolean({ description: 'to be set up anew at its next contact' }),
  spareStatus: Type.Integer({ description: 'Unknown 1, Ready 2, NotReady 3, WithErrors 4' }),
  spareReasons: Type.Array(SpareReason),
  mode: textOrNull(),
  pollTime: Epoch,
  statusTime: Epoch,
  charge: numberOrNull('%'),
  replaceBatteryAt: textOrNull('ISO-8601 in UTC'),
  version: Version,
  updatedAt: Time,
});
export type Ipc = Static<typeof Ipc>;

/** A sprinkler by itself. Lists of thousands do without what they would say twice. */
export const IpcRecord = Type.Object({
  ...Ipc.properties,
  location: nullable(LatLng),
  parcels: Type.Array(Type.String(), {
    description: 'land parcels that it stands on: none, as no parcels are kept',
  }),
  settings: Type.Record(Type.String(), Type.Unknown()),
});
export type IpcRecord = Static<typeof IpcRecord>;

export const irrigationDevices = defineEndpoint({
  key: 'GET /irrigation/devices',
  tag,
  summary: "The farm's sprinklers. `sync`: the gateway has not acknowledged the newest list",
  needs: read,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({ ...farmOfList, farmId: Type.String(), sync: Type.Boolean(), ipcs: Type.Array(Ipc) }),
});

export const hasChanges = defineEndpoint({
  key: 'GET /irrigation/devices/has-changes',
  tag,
  summary: 'Whether a gateway of the farm is behind with its list of units',
  needs: { anyOf: [can('irrigationDevices', 'Read'), can('repeaters', 'Read')] },
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({ sync: Type.Boolean() }),
});

/** So many sprinklers at once. */
const BULK_MAX = 5000;

const fields = {
  name: ShortName,
  description: Type.Optional(Description),
  serialNumber: SerialNumber,
  macAddress: MacAddress,
  farmId: Type.Optional(RadioFarmId),
  channel: Type.Optional(RadioChannel),
  commsMode: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 })),
  type: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })),
  ...place,
  groups: Type.Optional(Type.Array(Uid, { maxItems: 50 })),
  gatewayUID: Type.Optional(nullable(Uid)),
  isSpareUnit: Type.Optional(Type.Boolean()),
  isPartSprinkler: Type.Optional(Type.Boolean()),
  isPOI: Type.Optional(Type.Boolean()),
};

export const getIpc = defineEndpoint({
  key: 'GET /ipc',
  tag,
  summary: 'One sprinkler',
  needs: read,
  target: { device: { in: 'query', name: 'deviceId' } },
  query: Type.Object({ deviceId: Uid }),
  reply: IpcRecord,
});

export const createIpc = defineEndpoint({
  key: 'POST /ipc',
  once: true,
  tag,
  summary: 'Add a sprinkler',
  needs: { anyOf: [can('irrigationDevices', 'Create')] },
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({ farmUID: Uid, ...fields }),
  reply: Created,
});

export const updateIpc = defineEndpoint({
  key: 'PUT /ipc',
  tag,
  summary: 'Change a sprinkler. 409 with the newer record when somebody else changed it since `version`',
  needs: edit,
  target: { device: { in: 'body', name: 'id' } },
  body: Type.Object({ id: Uid, version: Type.Optional(Version), ...fields }),
  reply: Type.Object({ ...Ipc.properties, ...placeWarning }),
});

export const deleteIpc = defineEndpoint({
  key: 'DELETE /ipc',
  tag,
  summary: 'Take a sprinkler off the farm; its history stays',
  needs: { anyOf: [can('irrigationDevices', 'Delete')] },
  target: { device: { in: 'query', name: 'deviceId' } },
  query: Type.Object({ deviceId: Uid }),
  reply: Undoable,
});

export const bulkEditIpcs = defineEndpoint({
  key: 'POST /ipc/bulk-edit',
  tag,
  summary: 'Change several sprinklers at once: all or none',
  needs: edit,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({
    farmUID: Uid,
    deviceIds: Type.Array(Uid, { minItems: 1, maxItems: BULK_MAX }),
    changes: Type.Object(
      {
        gatewayUID: Type.Optional(nullable(Uid)),
        isSpareUnit: Type.Optional(Type.Boolean()),
        channel: Type.Optional(RadioChannel),
        farmId: Type.Optional(RadioFarmId),
        commsMode: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 })),
        isPartSprinkler: Type.Optional(Type.Boolean()),
        groups: Type.Optional(Type.Array(Uid, { maxItems: 50 })),
      },
      { minProperties: 1, additionalProperties: false },
    ),
  }),
  reply: Type.Object({ updated: Type.Integer(), batchId }),
});

export const checkIpcs = defineEndpoint({
  key: 'POST /ipc/bulk-check',
  tag,
  summary:
    'What would keep new sprinklers from being added, row by row, and the MACs that the register knows of those without. Nothing is written',
  needs: { anyOf: [can('irrigationDevices', 'Create')] },
  // Whole lists of serial numbers can be asked about: as often as a person does.
  perMinute: 20,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({
    farmUID: Uid,
    units: Type.Array(
      Type.Object({
        serialNumber: TypedText({ maxLength: 40 }),
        macAddress: Type.String({ maxLength: 40, description: 'empty: to be found by the serial number' }),
      }),
      { minItems: 1, maxItems: BULK_MAX },
    ),
  }),
  reply: Type.Object({
    units: Type.Array(
      Type.Object({
        macAddress: Type.String({ description: 'as given, or as found; empty when neither' }),
        serialNumberFault: textOrNull('a sentence'),
        macAddressFault: textOrNull('a sentence'),
      }),
    ),
  }),
});

export const addIpcs = defineEndpoint({
  key: 'POST /ipc/bulk-add',
  once: true,
  tag,
  summary:
    'Add several sprinklers at once: all or none. A failure names the row as `units.3.serialNumber`, from 0. 400 at `confirmFar` asks whether places far from the farm or from their gateways are meant: send it again with `confirmFar: true`',
  needs: { anyOf: [can('irrigationDevices', 'Create')] },
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({
    farmUID: Uid,
    units: Type.Array(Type.Object(fields), { minItems: 1, maxItems: BULK_MAX }),
    confirmFar: Type.Optional(Type.Boolean()),
  }),
  bodyMaxBytes: 5 * 1024 * 1024,
  reply: Type.Object({ ids: Type.Array(Uid), batchId }),
});

export const deleteIpcs = defineEndpoint({
  key: 'POST /ipc/bulk-delete',
  tag,
  summary: `Take several sprinklers off the farm: all or none; their history stays. Of ${MUCH_FROM} or more a backup of the farm is made first`,
  needs: { anyOf: [can('irrigationDevices', 'Delete')] },
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({
    farmUID: Uid,
    deviceIds: Type.Array(Uid, { minItems: 1, maxItems: BULK_MAX }),
  }),
  reply: Type.Object({ deleted: Type.Integer(), batchId }),
});

const flagOf = <const Key extends `PUT /${string}`, const Reply extends Type.TSchema>(
  key: Key,
  summary: string,
  reply: Reply,
) =>
  defineEndpoint({
    key,
    tag,
    summary,
    needs: edit,
    target: { device: { in: 'body', name: 'deviceId' } },
    body: Type.Object({ deviceId: Uid, status: Type.Boolean() }),
    bodyInQuery: true,
    reply,
  });

export const flagAsSpare = flagOf(
  'PUT /ipc/flag-as-spare',
  'Make a sprinkler a spare, or take it into service',
  Undoable,
);
export const flagAsPartSprinkler = flagOf(
  'PUT /ipc/flag-as-part-sprinkler',
  'A sprinkler that waters part of a circle',
  Undoable,
);
export const flagReconfigure = flagOf(
  'PUT /ipc/flag-reconfigure',
  'Set the unit up anew at its next contact',
  Success,
);

const convert = <const Key extends `PUT /${string}`, const Reply extends Type.TSchema>(
  key: Key,
  summary: string,
  reply: Reply,
) =>
  defineEndpoint({
    key,
    tag,
    summary,
    needs: undoNeeds['convert sprinkler'],
    target: { device: { in: 'body', name: 'deviceId' } },
    body: Type.Object({ deviceId: Uid }),
    bodyInQuery: true,
    reply,
  });

export const convertToPlaceholder = convert(
  'PUT /placeholder/convert-to-placeholder',
  'Take a unit out of service; its name, place, serial number and MAC stay. Another unit may have the serial number then, not the MAC',
  Undoable,
);
export const convertToPoi = convert(
  'PUT /placeholder/convert-to-poi',
  'Make a point of interest of a unit, which leaves the farm; the name of the new point',
  Type.Object({ name: Type.String() }),
);
export const returnToService = convert(
  'PUT /placeholder/return-to-service',
  'A placeholder works again',
  Undoable,
);

export const lastFarmIdAndChannel = defineEndpoint({
  key: 'PUT /ipc/last-farmid-and-channel',
  tag,
  summary: 'The radio farm id and channel last used on the farm, to begin a form with',
  needs: edit,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({ farmUID: Uid }),
  reply: Type.Object({ farmId: Type.String(), channel: Type.Integer() }),
});

export const resetSchedulesIndex = defineEndpoint({
  key: 'POST /ipc/reset-schedules-index',
  tag,
  summary: 'Forget how many schedule entries the units hold, and have the gateway take its list again',
  needs: edit,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({ farmUID: Uid }),
  reply: Success,
});

export const replaceIpcBattery = defineEndpoint({
  key: 'POST /ipc/replace-battery',
  tag,
  summary: 'Record that the battery was replaced now, or at a time of the last days',
  needs: { allOf: [can('irrigationDevices', 'Edit'), can('irrigationDevices', 'Read')] },
  target: { device: { in: 'body', name: 'ipcUID' } },
  body: Type.Object({ ipcUID: Uid, at: ReplacedAt }),
  reply: Success,
});

export const spareUnits = defineEndpoint({
  key: 'GET /ipc/spare-units',
  tag,
  summary: 'The spare units of the farm and whether each is ready',
  needs: read,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({ ipcs: Type.Array(Ipc) }),
});

export const UnitOfList = Type.Object({
  _id: Uid,
  name: Type.String(),
  serialNumber: Type.String(),
  macAddress: Type.String(),
});

export const ipcsForRepeater = defineEndpoint({
  key: 'GET /ipc/farm-ipcs-for-repeater',
  tag,
  summary: 'The sprinklers that a repeater may serve',
  needs: read,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({ ipcs: Type.Array(UnitOfList) }),
});

export const podsInfo = defineEndpoint({
  key: 'GET /farm/podsinfo',
  tag,
  summary:
    "How many sprinklers the farm has, in service, spare and placeholders, and the radio's farm ids and channels",
  needs: read,
  target: { farm: { in: 'query', name: 'uid' } },
  query: Type.Object({ uid: Uid }),
  reply: Type.Object({
    total: Type.Integer(),
    inService: Type.Integer(),
    spares: Type.Integer(),
    placeholders: Type.Integer(),
    farmIds: Type.Array(Type.String()),
    channels: Type.Array(Type.Integer()),
  }),
});

export const placedDevices = defineEndpoint({
  key: 'GET /irrigation/placed',
  tag,
  summary: 'How many devices have a place on the map: what resetting locations would take away',
  needs: edit,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({
    sprinklers: Type.Integer(),
    gateways: Type.Integer(),
    repeaters: Type.Integer(),
    sensors: Type.Integer(),
  }),
});

const resetLocation = <const Key extends `DELETE /${string}`>(key: Key, summary: string) =>
  defineEndpoint({
    key,
    tag,
    summary: `${summary}. Of ${MUCH_FROM} or more a backup of the farm is made first`,
    needs: edit,
    target: { farm: { in: 'query', name: 'farmUID' } },
    query: Type.Object({ farmUID: Uid }),
    reply: Type.Object({ success: Type.Boolean(), reset: Type.Integer(), batchId }),
  });
export const resetIpcLocations = resetLocation(
  'DELETE /irrigation/reset-location',
  'Forget the place of every sprinkler',
);
export const resetAllLocations = resetLocation(
  'DELETE /irrigation/reset-all-location',
  "Forget the place of every device; points of interest and the farm's own pin stay",
);

export const SearchResult = Type.Object({
  id: Uid,
  serial: Type.String(),
  name: Type.String(),
  farm: Type.String(),
  farmUID: Uid,
  groups: Type.Array(Type.String()),
  outOfService: Type.Boolean(),
  outOfComm: Type.Boolean(),
  inhibited: Type.Boolean(),
  error: Type.Boolean(),
  isActive: Type.Boolean(),
  kind: Type.String({ description: 'sprinkler, gateway, repeater, sensor or poi' }),
});
export type SearchResult = Static<typeof SearchResult>;

export const searchDevices = defineEndpoint({
  key: 'GET /ipc/search',
  tag: 'Search',
  summary:
    'Devices by name, serial number or MAC on all farms where the caller may read that kind; 20 at most, prefixes first',
  needs: needs.login,
  query: Type.Object({ value: Type.String({ minLength: 2, maxLength: 60 }) }),
  reply: Type.Object({ results: Type.Array(SearchResult) }),
});
