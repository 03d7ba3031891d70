import type { Timezone } from '@headrace/contract/farms';
import { type CsvCell, writeCsv } from '@headrace/contract/rules/files/write-csv';
import { unitLabel } from '../../device-records/unit-view-model.ts';
import { exactTime } from '../../ui/format.ts';
import { type GroupDevice, kindLabels } from './group-markers.ts';

const HEAD = [
  'Name',
  'Serial number',
  'MAC',
  'Groups',
  'State',
  'Last contact',
  'Battery, %',
  'Clock, s',
  'Latitude',
  'Longitude',
];

/** What a map lists, a device in a row. Times on the farm's clock; what a device has not said is empty. */
export const listCsv = (shown: readonly GroupDevice[], zone: Timezone | null): string =>
  writeCsv([HEAD, ...shown.map((device) => rowOf(device, zone))]);

function rowOf(device: GroupDevice, zone: Timezone | null): CsvCell[] {
  const time = (at: number) => (at > 0 ? exactTime(at, zone) : null);
  if (device.kind === 'ipc') {
    const { name, serial, mac, groups, statustime, charge, clock, lat, lng } = device.unit;
    const text = unitLabel(device.unit);
    return [name, serial, mac, groups.join('; '), text, time(statustime), charge, clock, lat, lng];
  }
  const { name, serial, lat, lng } = device;
  const heardAt = device.kind === 'poi' ? 0 : device.statustime;
  return [name, serial, null, null, kindLabels[device.kind], time(heardAt), null, null, lat, lng];
}
