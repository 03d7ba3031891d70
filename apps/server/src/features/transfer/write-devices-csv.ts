import { csvLines, csvStart } from '@headrace/contract/rules/files/csv-text';
import { radioOf } from '../devices/farm-radio.ts';
import type { ContentDevice } from './farm-content.repo.ts';
import { inOrder, isPlaceholder, isSpare } from './in-order.ts';
import { groupsText } from './write-ini.ts';

const COLUMNS = [
  'kind',
  'name',
  'serial_number',
  'mac_address',
  'farm_id',
  'channel',
  'group',
  'latitude',
  'longitude',
  'state',
  'description',
] as const;

const kinds = ['gateway', 'repeater', 'sprinkler', 'sensor', 'poi'] as const;

/** devices.csv: by kind, then by name. The columns of a list of sprinklers are among them, so that it can be read back as one. */
export function devicesCsv(devices: readonly ContentDevice[]): string {
  const rows = kinds.flatMap((kind) => inOrder(devices.filter((one) => one.kind === kind)));
  return csvStart(COLUMNS) + csvLines(rows.map(cellsOf));
}

function cellsOf(device: ContentDevice): (string | number | null)[] {
  const radio = device.kind === 'sprinkler' ? radioOf(device) : null;
  return [
    device.kind,
    device.name,
    device.serial_number,
    device.mac,
    radio?.farmId ?? null,
    radio?.channel ?? null,
    groupsText(device.groups.map(({ name }) => name)),
    device.lat,
    device.lng,
    stateOf(device),
    device.description,
  ];
}

function stateOf(device: ContentDevice): string {
  if (device.kind !== 'sprinkler') return '';
  if (isPlaceholder(device)) return 'placeholder';
  if (isSpare(device)) return 'spare';
  return device.settings['outOfService'] === true ? 'out of service' : 'in service';
}
