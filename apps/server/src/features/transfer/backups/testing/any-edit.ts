import { gatewayTypes } from '@headrace/contract/gateway-types';
import { defaultIoSettings } from '@headrace/contract/rules/io-settings';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { DeviceKind, DeviceRow } from '../../../../db/schema.ts';
import { farmEntry } from '../../../../testing/farm-entry.ts';
import type { backupStage } from './backup-stage.ts';

/** A number from 0 to one less than `sides`. */
export type Roll = (sides: number) => number;
type Stage = ReturnType<typeof backupStage>;
type Edit = readonly [key: string, body?: object, query?: Record<string, string>];

/** The same numbers for the same seed. */
export function dice(seed: number): Roll {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

/** One thing that people do to a farm, of which some is refused, as a form would; what it was. */
export async function anyEdit(stage: Stage, roll: Roll): Promise<string> {
  const on = await readFarm(stage);
  const edits = [ofUnits, ofGroups, ofOthers, ofGateways, ofSchedules, ofFiles].flatMap((of) =>
    of(stage, on, roll),
  );
  const [key, body, query] = edits[roll(edits.length)] ?? ['nothing'];
  const { statusCode } = await stage.call(key, body, query);
  return `${key} ${statusCode}`;
}

type Farm = Awaited<ReturnType<typeof readFarm>>;

async function readFarm({ db, call, ofFarm, is }: Stage) {
  const devices = await db()
    .selectFrom('device')
    .selectAll()
    .where('farm_id', '=', is.farm.id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  const uidsOf = async (table: 'device_group' | 'schedule_template' | 'schedule_set') =>
    (
      await db()
        .selectFrom(table)
        .select('uid')
        .where('farm_id', '=', is.farm.id)
        .$if(table !== 'device_group', (query) => query.where('deleted_at' as never, 'is', null))
        .orderBy('id')
        .execute()
    ).map(({ uid }) => uid);
  const { changes } = (await call('GET /changes', undefined, { ...ofFarm(), limit: '20' })).json<{
    changes: { undo?: { act: string; batchId: string } }[];
  }>();
  return {
    of: (kind: DeviceKind): DeviceRow[] => devices.filter((device) => device.kind === kind),
    groups: await uidsOf('device_group'),
    templates: await uidsOf('schedule_template'),
    sets: await uidsOf('schedule_set'),
    undos: changes.flatMap(({ undo }) => undo ?? []),
  };
}

/** One of them, and what is done to it; nothing where there is none. */
function toOne<Item>(items: readonly Item[], roll: Roll, edits: (item: Item) => Edit[]): Edit[] {
  const item = items[roll(items.length)];
  return item === undefined ? [] : edits(item);
}

const anyPlace = (roll: Roll) => ({ lat: -43.7 - roll(90) / 1000, lng: 171.9 + roll(90) / 1000 });
const anyName = (roll: Roll) => `${'ABC'[roll(3)]}${roll(99)}`;
const formOf = ({ uid: id, name, serial_number: serialNumber, mac, lat, lng }: DeviceRow) => ({
  id,
  name,
  serialNumber,
  macAddress: mac ?? '',
  lat,
  lng,
});

function ofUnits({ ofFarm, mac }: Stage, { of, groups }: Farm, roll: Roll): Edit[] {
  const units = of('sprinkler');
  const name = anyName(roll);
  const anyUnits = units.filter(() => roll(2) === 1).map(({ uid }) => uid);
  const several = { ...ofFarm(), deviceIds: anyUnits };
  const of2 = [0, 1].map((nth) => ({
    name: `D${roll(99)}`,
    serialNumber: `D${roll(999)}${nth}`,
    macAddress: mac(),
  }));
  return [
    ['POST /ipc', { ...ofFarm(), name, serialNumber: `N${roll(9999)}`, macAddress: mac() }],
    ['POST /ipc/bulk-add', { ...ofFarm(), units: of2 }],
    ['DELETE /irrigation/reset-location', undefined, ofFarm()],
    ['DELETE /irrigation/reset-all-location', undefined, ofFarm()],
    ...toOne(units, roll, (unit): Edit[] => [
      ['PUT /ipc', { ...formOf(unit), name, ...anyPlace(roll) }],
      ['PUT /ipc', { ...formOf(unit), serialNumber: `S${roll(9999)}` }],
      ['DELETE /ipc', undefined, { deviceId: unit.uid }],
      ['PUT /ipc/flag-as-spare', { deviceId: unit.uid, status: roll(2) === 1 }],
      ['PUT /ipc/flag-as-part-sprinkler', { deviceId: unit.uid, status: roll(2) === 1 }],
      ['PUT /placeholder/convert-to-placeholder', { deviceId: unit.uid }],
      ['PUT /placeholder/return-to-service', { deviceId: unit.uid }],
      ['PUT /placeholder/convert-to-poi', { deviceId: unit.uid }],
      [
        'POST /devices/move',
        {
          ...ofFarm(),
          kind: 'sprinkler',
          devices: [
            {
              id: unit.uid,
              from: unit.lat === null ? null : { lat: unit.lat, lng: unit.lng },
              to: anyPlace(roll),
            },
          ],
          confirmFar: true,
        },
      ],
      ['POST /ipc/bulk-edit', { ...several, changes: { channel: 1 + roll(9), farmId: `0${roll(9)}:01` } }],
      ['POST /ipc/bulk-edit', { ...several, changes: { groups: groups.filter(() => roll(3) === 0) } }],
      ['POST /ipc/bulk-delete', several],
    ]),
  ];
}

function ofGroups({ ofFarm }: Stage, { of, groups }: Farm, roll: Roll): Edit[] {
  const name = `Group ${roll(50)}`;
  const ipcs = of('sprinkler').flatMap(({ uid }) => (roll(2) === 1 ? uid : []));
  const pois = of('poi').flatMap(({ uid }) => (roll(2) === 1 ? uid : []));
  return [
    ['POST /group', { ...ofFarm(), name }],
    ...toOne(groups, roll, (groupId): Edit[] => [
      ['PUT /group', { id: groupId, name, isLateral: roll(2) === 1 }],
      ['DELETE /group', undefined, { groupId }],
      ['PUT /group/devices/add', { groupId, ipcs, pois }],
      ['PUT /group/devices/remove', { groupId, ipcs, pois }],
      ['PUT /group/devices/remove-all', { groupId }],
    ]),
  ];
}

function ofOthers({ ofFarm, mac }: Stage, { of }: Farm, roll: Roll): Edit[] {
  const name = anyName(roll);
  const place = anyPlace(roll);
  const identity = () => ({ name, serialNumber: `O${roll(9999)}`, macAddress: mac() });
  const settings = { offset: roll(100), height: 2000, toplevel: 1900, volume: 30_000 };
  const type = sensorTypes.LEVEL_MM;
  return [
    ['POST /poi', { ...ofFarm(), name, ...place }],
    ['POST /repeater', { ...ofFarm(), ...identity() }],
    ['POST /sensor', { ...ofFarm(), ...identity(), type, settings }],
    ...toOne(of('poi'), roll, ({ uid }): Edit[] => [
      ['PUT /poi', { id: uid, name, ...place, icon: 'gate' }],
      ['DELETE /poi', undefined, { poiUID: uid }],
      ['POST /poi/convert', { poiUID: uid, ...identity() }],
      ['POST /poi/sensorconv', { poiUID: uid, ...identity(), type }],
    ]),
    ...toOne(of('repeater'), roll, (repeater): Edit[] => [
      ['PUT /repeater', { ...formOf(repeater), name, ...place }],
      ['DELETE /repeater', undefined, { deviceId: repeater.uid }],
    ]),
    ...toOne(of('sensor'), roll, (sensor): Edit[] => [
      ['PUT /sensor', { ...formOf(sensor), type: sensor.type, name, settings }],
      ['DELETE /sensor', undefined, { deviceId: sensor.uid }],
    ]),
  ];
}

function ofGateways({ ofFarm, mac }: Stage, { of }: Farm, roll: Roll): Edit[] {
  const name = anyName(roll);
  const ioSettings = { ...defaultIoSettings(), input1: { title: `Float ${roll(9)}` } };
  return [
    [
      'POST /gateway',
      { ...ofFarm(), name, serialNumber: `G${roll(9999)}`, macAddress: mac(), type: gatewayTypes.IMSG_V2 },
    ],
    ...toOne(of('gateway'), roll, (gateway): Edit[] => [
      ['PUT /gateway', { ...formOf(gateway), type: gateway.type, name, ...anyPlace(roll) }],
      ['POST /gateway/iosettings', { ...ofFarm(), mac: gateway.mac ?? '', ioSettings }],
      // It takes its units with it: not each time.
      ...(roll(3) === 0 ? [['DELETE /gateway', undefined, { deviceId: gateway.uid }] satisfies Edit] : []),
    ]),
  ];
}

function ofSchedules({ ofFarm }: Stage, { templates, sets }: Farm, roll: Roll): Edit[] {
  return [
    ...toOne(templates, roll, (templateUID): Edit[] => [
      ['POST /schedule-template/clone', { templateUID, ...ofFarm(), name: `Design ${roll(50)}` }],
      ['DELETE /schedule-template', undefined, { templateUID }],
    ]),
    ...toOne(sets, roll, (setUID): Edit[] => [['DELETE /schedules', undefined, { ...ofFarm(), setUID }]]),
  ];
}

function ofFiles({ ofFarm, is, mac }: Stage, { undos }: Farm, roll: Roll): Edit[] {
  const entry = { ...farmEntry, name: `Farm ${roll(50)}`, description: `${roll(50)}` };
  const file = (typeFile: string, lines: readonly string[]): Edit => [
    'POST /import/file',
    { ...ofFarm(), typeFile, filename: 'x.csv', data: lines.join('\n') },
  ];
  return [
    ['PUT /farm', { id: is.farm.uid, ...entry }],
    ['PUT /farm-timezone', { ...ofFarm(), dstEnabled: roll(2) === 1 }],
    file('podlist', ['name;serial;mac;group', `Q${roll(99)};S${roll(99)};${mac()};West ${roll(5)}`]),
    file('schedules', [
      'set;group;schedule_group;serial_number;name;cycle;start;duration',
      `Set ${roll(4)};North;North;IPCA1;A1;1;0${roll(9)}:30;${10 + roll(50)}`,
    ]),
    ...toOne(undos, roll, ({ act, batchId }): Edit[] => [['POST /undo', { ...ofFarm(), act, batchId }]]),
  ];
}
