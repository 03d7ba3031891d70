import type { ImportPlan, ImportRow, ImportType } from '@headrace/contract/imports';
import { menuLabels } from '@headrace/contract/rules/files/file-types';
import { wholeText } from '@headrace/contract/rules/number-text';
import { ApiError, errorText } from '../../api/client.ts';

export const fieldLabels: Readonly<Record<string, string>> = {
  name: 'Name',
  serialNumber: 'Serial',
  macAddress: 'MAC',
  farmId: 'Farm ID',
  channel: 'Channel',
  groups: 'Groups',
  lat: 'Latitude',
  lng: 'Longitude',
  isSpare: 'Use',
  boundary: 'Boundary',
  turns: 'Waterings',
  cycle: 'Cycle',
};

/** In front of a name, where it isn't a sprinkler's. */
export const kindLabels: Readonly<Record<string, string>> = {
  repeater: 'Repeater',
  gateway: 'Gateway',
  sensor: 'Sensor',
  poi: 'Point',
  group: 'Group',
  farm: 'Farm',
  boundary: 'Boundary',
  'schedule set': 'Schedule set',
};

export const actionLabels = {
  add: 'Add',
  change: 'Change',
  choose: 'Your choice',
  same: 'Same',
  'left out': 'Left out',
} as const satisfies Record<ImportRow['action'], string>;

/** What people choose. A map file is told from another by what it holds. `accept`: endings of its files. */
export const importTypes: readonly {
  value: ImportType;
  label: string;
  accept: string;
  hint: string;
}[] = [
  {
    value: 'podlist',
    label: menuLabels.podlist,
    accept: '.csv,.txt',
    hint: 'CSV whose first row names the columns: name, serial_number, mac_address, farm_id, channel, group, latitude, longitude.',
  },
  {
    value: 'project',
    label: menuLabels.project,
    accept: '.prj,.ini,.xml,.json',
    hint: 'A project (.prj), pod-config.ini, inc-rptrs.ini, an RXP site (.xml) or site.json. Sprinklers, repeaters, groups and places are taken from it, and schedules of site.json.',
  },
  {
    value: 'kml',
    label: menuLabels.kml,
    accept: '.kml,.kmz,.geojson,.json',
    hint: 'KML, KMZ or GeoJSON. Points are where devices stand, by their names; areas are paddocks or the boundary.',
  },
  {
    value: 'schedules',
    label: menuLabels.schedules,
    accept: '.csv,.txt,.zip',
    hint: 'site.zip, or CSV whose first row names the columns: set, group, schedule_group, serial_number, name, cycle, start, duration.',
  },
];

/** "44 will be added, 3 changed, 12 are the same, 2 left out, 1 needs your choice." */
export function summaryText({ counts }: ImportPlan): string {
  const parts = [
    counts.add > 0 && `${wholeText(counts.add)} will be added`,
    counts.change > 0 && `${wholeText(counts.change)} will be changed`,
    counts.same > 0 && `${wholeText(counts.same)} ${counts.same === 1 ? 'is' : 'are'} the same`,
    counts['left out'] > 0 && `${wholeText(counts['left out'])} left out`,
    counts.choose > 0 && `${wholeText(counts.choose)} ${counts.choose === 1 ? 'needs' : 'need'} your choice`,
  ].filter((part) => part !== false);
  const isNothing = counts.add + counts.change + counts.choose === 0;
  const all = parts.length > 0 ? `${parts.join(', ')}.` : '';
  return isNothing ? `Nothing would change. ${all}`.trim() : all;
}

/** By which type a file can be read, where another one was chosen; null: that isn't known. */
export function suggestedType(error: Error | null): ImportType | null {
  if (!(error instanceof ApiError) || error.field !== 'data') return null;
  const { typeFile = null } = (error.current ?? {}) as { typeFile?: ImportType };
  return typeFile;
}

/** Why nothing was imported. A farm that has changed meanwhile is no fault of the file: there is a new plan. */
export function failureText(file: string, error: Error): string {
  if (error instanceof ApiError && error.field === 'revision') return errorText(error);
  return `File ${file} was not uploaded. ${errorText(error)}`;
}

/** A heading and a list: items stand apart by #, and the first dash of each is a colon. spec 2 §7.5 */
export function resultParts(message: string): { heading: string; items: string[] } {
  const [heading = '', ...items] = message.split('#');
  return { heading, items: items.map((item) => item.replace('-', ': ')) };
}
