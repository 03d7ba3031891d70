import { can, hasRight, type Level, type Permissions, type Resource } from '@headrace/contract/permissions';
import type { ContentDevice } from './farm-content.repo.ts';
import { isPlaceholder } from './in-order.ts';
import type { FilePoint } from './reading/file-content.ts';

type Kind = ContentDevice['kind'];

export const kindLabels: Readonly<Record<Kind, string>> = {
  sprinkler: 'sprinkler',
  repeater: 'repeater',
  gateway: 'gateway',
  sensor: 'sensor',
  poi: 'point of interest',
};

const resources: Readonly<Record<Kind, Resource>> = {
  sprinkler: 'irrigationDevices',
  repeater: 'repeaters',
  gateway: 'gateways',
  sensor: 'sensors',
  poi: 'pois',
};

/** As farm.geojson names kinds, and farm.kml the folders of them. */
const words: ReadonlyMap<string, Kind> = new Map([
  ...(Object.keys(kindLabels) as Kind[]).map((kind) => [kind, kind] as const),
  ['gateways', 'gateway'],
  ['repeaters', 'repeater'],
  ['sprinklers', 'sprinkler'],
  ['sensors', 'sensor'],
  ['points of interest', 'poi'],
]);

/** What the file says that a point is; null: it doesn't. */
export const kindOf = ({ kind, path }: Pick<FilePoint, 'kind' | 'path'>): Kind | null =>
  words.get(kind.toLowerCase()) ?? words.get(path.at(-1)?.toLowerCase() ?? '') ?? null;

/** May the person see, change or add what is of this kind. */
export const mayOf = (permissions: Permissions, kind: Kind, level: Level): boolean =>
  hasRight(permissions, can(resources[kind], level));

export const mayMove = (permissions: Permissions, device: ContentDevice): boolean =>
  hasRight(permissions, can(isPlaceholder(device) ? 'placeholders' : resources[device.kind], 'Edit'));
