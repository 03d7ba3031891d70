import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { GroupInfo, IpcStatus } from './groups.ts';
import { flag } from './permissions.ts';
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

/** What a member is where a row leaves it out. */
export const usual = {
  mac: '',
  lat: null,
  lng: null,
  groups: [],
  condition: 0,
  isInhibited: false,
  isOutOfContact: false,
  hasError: false,
  hasBatteryError: false,
  hasClockError: false,
  hasScheduleError: false,
  isPlaceholder: false,
  isSpareUnit: false,
  isPartSprinkler: false,
  outOfService: false,
  active: false,
  charge: null,
  clock: null,
  lastpoll: 0,
  statustime: 0,
  cycleLen: 1,
  ipc_crc: null,
  inc_crc: null,
  valveOpen: false,
  valveAt: 0,
  belief: null,
  activeAt: [],
} as const satisfies { readonly [Name in Exclude<keyof Static<typeof how>, 'stopWanted'>]: unknown };

const UnitRow = Type.Object(
  { ...whose.properties, ...Type.Partial(how).properties },
  {
    description: `as GET /group/info has it, without what is as usual: ${Object.entries(usual)
      .map(([name, value]) => `${name} ${JSON.stringify(value)}`)
      .join(', ')}`,
  },
);
export type UnitRow = Static<typeof UnitRow>;

const { name, sensors, repeaters, gateways, pois, boundaries } = GroupInfo.properties;

/** A sprinkler without what is as usual. */
export function toUnitRow(unit: MapUnit): UnitRow {
  const row: Record<string, unknown> = { id: unit.id, name: unit.name, serial: unit.serial };
  for (const [member, value] of usualMembers) {
    const own = unit[member];
    if (own !== value && !(Array.isArray(own) && own.length === 0)) row[member] = own;
  }
  if (unit.stopWanted !== undefined && unit.stopWanted !== null) row['stopWanted'] = unit.stopWanted;
  return row as UnitRow;
}
const usualMembers = Object.entries(usual) as [keyof typeof usual, unknown][];

export const fromUnitRow = (row: UnitRow): MapUnit => ({ ...usual, groups: [], activeAt: [], ...row });

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
    since: Type.Optional(
      Type.String({ maxLength: 64, description: 'version of the reply that the caller has' }),
    ),
  }),
  reply: Type.Object({
    version: Type.String(),
    isWhole: Type.Boolean({
      description: 'all sprinklers; false: those that are new or otherwise since the reply that was named',
    }),
    total: Type.Integer({
      description: 'sprinklers of the group. Who has more than these lost some, and asks for all',
    }),
    units: Type.Array(UnitRow),
    name,
    sensors,
    repeaters,
    gateways,
    pois,
    boundaries,
  }),
});
