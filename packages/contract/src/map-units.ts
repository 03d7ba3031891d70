import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { GroupInfo, IpcStatus } from './groups.ts';
import { flag } from './permissions.ts';
import { usualText } from './rules/short-rows.ts';
import { usual } from './rules/unit-rows.ts';
import { Uid } from './schemas.ts';

const whose = Type.Pick(IpcStatus, ['id', 'name', 'serial']);
const how = Type.Pick(IpcStatus, [
  'mac',
  'lat',
  'lng',
  'groups',
  'condition',
  'isInhibited',
  'stopWanted',
  'isOutOfContact',
  'hasError',
  'hasBatteryError',
  'hasClockError',
  'hasScheduleError',
  'isScheduleComing',
  'isPlaceholder',
  'isSpareUnit',
  'isPartSprinkler',
  'outOfService',
  'active',
  'charge',
  'clock',
  'lastpoll',
  'statustime',
  'cycleLen',
  'ipc_crc',
  'inc_crc',
  'valveOpen',
  'valveAt',
  'belief',
  'activeAt',
]);

/** A sprinkler as maps, their lists and what they open at once show it. */
export type MapUnit = Static<typeof whose> & Static<typeof how>;

export const UnitRow = Type.Object(
  { ...whose.properties, ...Type.Partial(how).properties },
  {
    description: `as GET /group/info has it, without what is as usual: ${usualText(usual)}`,
  },
);
export type UnitRow = Static<typeof UnitRow>;

/** The reply that the caller has. */
export const since = Type.Optional(
  Type.String({ maxLength: 64, description: 'version of the reply that the caller has' }),
);

/** What a reply says of its rows. */
export const changesSince = {
  version: Type.String(),
  isWhole: Type.Boolean({
    description:
      'all sprinklers; false: only those that are new or have changed since the reply that was named',
  }),
  total: Type.Integer({
    description:
      'sprinklers that there are. Whoever has more than these has some that are gone, and asks for all',
  }),
};

const { name, sensors, repeaters, gateways, pois, boundaries } = GroupInfo.properties;

export const groupUnits = defineEndpoint({
  key: 'GET /group/units',
  tag: 'Groups',
  summary:
    'What a map of a group, or of the whole farm (FARM), shows: its sprinklers in short, those that changed since an earlier reply, and its other devices',
  needs: { anyOf: [flag('sprinklersStatus')] },
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({
    farmUID: Uid,
    name: Type.String({ minLength: 1, maxLength: 40 }),
    since,
  }),
  reply: Type.Object({
    ...changesSince,
    units: Type.Array(UnitRow),
    name,
    sensors,
    repeaters,
    gateways,
    pois,
    boundaries,
  }),
});
