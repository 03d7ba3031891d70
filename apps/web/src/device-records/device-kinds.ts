import { can, type Level, type Need, type Resource } from '@headrace/contract/permissions';
import type { DeviceFormKind } from '@headrace/contract/rules/device-form';
import { countText } from '@headrace/contract/rules/number-text';

/** What a kind of device is called, where its pages are and whose right it is. */
export interface DeviceKind {
  readonly form: DeviceFormKind;
  readonly resource: Resource;
  /** First segments of the addresses of its list and its form. */
  readonly paths: { readonly list: string; readonly one: string };
  readonly one: string;
  readonly many: string;
  readonly title: string;
}

const kind = (
  form: DeviceFormKind,
  resource: Resource,
  [list, one]: readonly [string, string],
  many = `${form}s`,
): DeviceKind => {
  const singular = form === 'poi' ? 'point of interest' : form;
  const title = many.charAt(0).toUpperCase() + many.slice(1);
  return { form, resource, paths: { list, one }, one: singular, many, title };
};

export const deviceKinds: Record<DeviceFormKind, DeviceKind> = {
  sprinkler: kind('sprinkler', 'irrigationDevices', ['irrigation-devices', 'irrigation-device']),
  gateway: kind('gateway', 'gateways', ['gateway-devices', 'gateway-device']),
  repeater: kind('repeater', 'repeaters', ['repeater-devices', 'repeater-device']),
  sensor: kind('sensor', 'sensors', ['sensor-devices', 'sensor-device']),
  poi: kind('poi', 'pois', ['pois', 'pois'], 'points of interest'),
};

export const needOf = ({ resource }: DeviceKind, level: Level): Need => ({ anyOf: [can(resource, level)] });

export const listPath = ({ paths }: DeviceKind, farmUID: string) => `/${paths.list}/${farmUID}`;
export const newPath = ({ paths }: DeviceKind, farmUID: string) => `/${paths.one}/new/${farmUID}`;
export const editPath = ({ paths }: DeviceKind, farmUID: string, id: string) =>
  `/${paths.one}/${farmUID}/${id}`;

/** "1 sprinkler", "1,200 sprinklers". */
export const deviceCount = (n: number, { one, many }: Pick<DeviceKind, 'one' | 'many'>): string =>
  countText(n, one, many);
