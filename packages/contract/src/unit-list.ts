import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { Ipc } from './irrigation-devices.ts';
import { changesSince, since } from './map-units.ts';
import { can } from './permissions.ts';
import { usualText } from './rules/short-rows.ts';
import { usualListed } from './rules/listed-units.ts';
import { Uid } from './schemas.ts';

const whose = Type.Pick(Ipc, ['_id', 'name', 'serialNumber']);
const about = Type.Pick(Ipc, [
  'description',
  'macAddress',
  'farmId',
  'channel',
  'commsMode',
  'lat',
  'lng',
  'groups',
  'gatewayUID',
  'isSpareUnit',
  'isPartSprinkler',
  'isPlaceholder',
  'outOfService',
  'reconfigure',
  'spareStatus',
  'statusTime',
  'charge',
]);

/** A sprinkler as lists show it; the rest of its record comes when it is opened (`GET /ipc`). */
export type ListedUnit = Static<typeof whose> & Static<typeof about>;

const ListedUnitRow = Type.Object(
  { ...whose.properties, ...Type.Partial(about).properties },
  { description: `as GET /irrigation/devices has it, without what is as usual: ${usualText(usualListed)}` },
);
export type ListedUnitRow = Static<typeof ListedUnitRow>;

export const unitList = defineEndpoint({
  key: 'GET /irrigation/units',
  tag: 'Irrigation devices',
  summary: "The farm's sprinklers in short, for lists: all, or those that changed since an earlier reply",
  needs: { anyOf: [can('irrigationDevices', 'Read')] },
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid, since }),
  reply: Type.Object({ ...changesSince, units: Type.Array(ListedUnitRow) }),
});
