import { gatewayTypes } from '@headrace/contract/gateway-types';
import type { Timezone } from '@headrace/contract/farms';
import type { Gateway } from '@headrace/contract/gateways';
import { exactTime, numberText } from '../../ui/format.ts';
import { gatewayTypeLabels } from '../../device-records/gateway-view-model.ts';
import { settingLabels, settingsOf } from './setting-labels.ts';

export interface GatewayFact {
  name: string;
  value: string;
  unit?: string;
}

type Members = Record<string, unknown>;
const DASH = '–';

/** Reported values are of any kind: words and numbers are shown, anything else is not known. */
function textOf(value: unknown): string {
  if (typeof value === 'number') return numberText(value, Number.isInteger(value) ? 0 : 1);
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return DASH;
}

/** A version as devices send it, in hundredths: 312 is 3.12. */
export function versionText(value: unknown): string {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? (number / 100).toFixed(2) : DASH;
}

const SECONDS = 's';

/** "60 seconds", "10 minutes", "1 day": in the largest unit of which it is a whole number. */
export function secondsText(seconds: number): string {
  const [length, name] = lengths.find(([length]) => seconds >= length && seconds % length === 0) ?? [
    1,
    'second',
  ];
  const count = seconds / length;
  return `${numberText(count, Number.isInteger(count) ? 0 : 1)} ${name}${count === 1 ? '' : 's'}`;
}
const lengths: readonly [number, string][] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
];

/** A member's name and what it is called, with its unit. */
type Row = [member: string, name: string, unit?: string];
const rows = (members: Members, list: readonly Row[]): GatewayFact[] =>
  list.map(([member, name, unit]) => {
    const seconds = members[member];
    if (unit === SECONDS && typeof seconds === 'number') return { name, value: secondsText(seconds) };
    const value = textOf(members[member]);
    return value === DASH || unit === undefined ? { name, value } : { name, value, unit };
  });

const settingRows = (type: number): readonly Row[] =>
  (settingsOf[type] ?? []).map((name) => {
    const { label, unit } = settingLabels[name];
    return unit ? [name, label, unit] : [name, label];
  });

const INC_SETTINGS: readonly Row[] = [
  ['rtcTime', 'Clock, as last told'],
  ['ipcListSize', 'Sprinklers in its list'],
  ['rptrListSize', 'Repeaters in its list'],
  ['schListSize', 'Schedules in its list'],
  ...settingRows(gatewayTypes.INC),
];
const LSG_SETTINGS: readonly Row[] = settingRows(gatewayTypes.LSG_V1);
const LSG_STATUS: readonly Row[] = [
  ['lastRestart', 'Last restart'],
  ['validMessageCount', 'Valid messages'],
  ['logFolderSize', 'Log folder', 'MB'],
];

const common = (gateway: Gateway): GatewayFact[] => [
  { name: 'Type', value: gatewayTypeLabels[gateway.type] ?? String(gateway.type) },
  { name: 'Serial number', value: gateway.serialNumber || DASH },
  { name: 'MAC address', value: gateway.macAddress || DASH },
  { name: 'Site', value: gateway.siteName || DASH },
];

/** What a gateway's clock said, as times are written; what is no time as it came. */
function clockText(value: unknown, zone: Timezone | null): unknown {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? value : exactTime(at, zone);
}

/** The two columns of a gateway's dialog, which differ by its type. `zone`: the farm's; null: not known. */
export function gatewayColumns(
  gateway: Gateway,
  zone: Timezone | null,
): { details: GatewayFact[]; settings: GatewayFact[] } {
  const { type, info, settings, latestStatus } = gateway;
  if (type === gatewayTypes.INC) {
    const versions = [
      { name: 'Firmware', value: versionText(info.firmwareVersion) },
      { name: 'Bootloader', value: versionText(info.bootloaderVersion) },
    ];
    const told = { ...settings, rtcTime: clockText(settings.rtcTime, zone) };
    return { details: [...common(gateway), ...versions], settings: rows(told, INC_SETTINGS) };
  }
  if (type === gatewayTypes.LSG_V1) {
    const data = (latestStatus[0]?.data ?? {}) as Members;
    return {
      details: [...common(gateway), ...rows(data, LSG_STATUS)],
      settings: rows(settings, LSG_SETTINGS),
    };
  }
  return { details: common(gateway), settings: [] };
}
