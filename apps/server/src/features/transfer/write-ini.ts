import { radioOf } from '../devices/farm-radio.ts';
import type { ContentDevice } from './farm-content.repo.ts';
import { inOrder, isPlaceholder, isSpare } from './in-order.ts';

/** pod-config.ini: sprinklers in service. A place that is only kept has no unit, and spares have no position. */
export const podConfig = (devices: readonly ContentDevice[]): string =>
  sections(
    'pod',
    inOrder(devices.filter((one) => one.kind === 'sprinkler' && !isSpare(one) && !isPlaceholder(one))),
    (pod) => [
      ...identity(pod),
      ['channel', String(radioOf(pod).channel)],
      ['group', groupsText(pod.groups.map(({ name }) => name))],
      ...place(pod),
    ],
  );

/** inc-rptrs.ini */
export const repeaterConfig = (devices: readonly ContentDevice[]): string =>
  sections('repeater', inOrder(devices.filter(({ kind }) => kind === 'repeater')), (repeater) => [
    ...identity(repeater),
    ...place(repeater),
  ]);

type Member = readonly [key: string, value: string];

const identity = ({ name, serial_number, mac }: ContentDevice): Member[] => [
  ['name', name],
  ['serial', serial_number],
  ['mac', mac ?? ''],
];

const place = ({ lat, lng }: ContentDevice): Member[] => [
  ['lat', lat === null ? '' : String(lat)],
  ['lng', lng === null ? '' : String(lng)],
];

/** Several stand apart by `|`; one within a name is written `\|`. */
export const groupsText = (names: readonly string[]): string =>
  names.map((name) => name.replaceAll('|', '\\|')).join('|');

/** What isn't known has no line, so that a file that is read back says nothing of it. */
function sections(
  word: string,
  devices: readonly ContentDevice[],
  membersOf: (device: ContentDevice) => Member[],
): string {
  const texts = devices.map((device, index) => {
    const lines = membersOf(device).flatMap(([key, value]) =>
      value === '' ? [] : [`${key}=${quoted(value)}`],
    );
    return [`[${word}${index + 1}]`, ...lines, ''].join('\r\n');
  });
  return texts.join('\r\n');
}

/** Readers take one pair of quotation marks off, and blanks around a value. */
const quoted = (value: string) => (/^["'\s]|["'\s]$/.test(value) ? `"${value}"` : value);
