import { gatewayTypes } from '@headrace/contract/gateway-types';
import type { Timezone } from '@headrace/contract/farms';
import type { Gateway } from '@headrace/contract/gateways';
import { gatewayCondition, type GatewayCondition } from '@headrace/contract/rules/contact';
import { exactTime, numberText } from '../../ui/format.ts';
import type { Condition } from '../../ui/tokens.ts';
import type { Standing } from '../devices/list-kind.ts';

/** Gray never contacted, red out of contact for more than a day, green otherwise. */
export const gatewayColour: Record<GatewayCondition, Condition> = {
  never: 'inhibited',
  outOfContact: 'issue',
  ok: 'ok',
};
export const gatewayWords: Record<GatewayCondition, string> = {
  never: 'Never contacted',
  outOfContact: 'Out of contact',
  ok: 'In contact',
};

/** When it was last heard, epoch ms; 0: never. */
export const heardAt = ({ statusTime }: Pick<Gateway, 'statusTime'>): number =>
  statusTime ? Date.parse(statusTime) : 0;

/** How a gateway is, by when it was heard. */
export function gatewayStanding(gateway: Pick<Gateway, 'statusTime'>, now: number): Standing {
  const condition = gatewayCondition(heardAt(gateway) || null, now);
  return { condition: gatewayColour[condition], word: gatewayWords[condition] };
}

export const gatewayTypeWords: Record<number, string> = {
  [gatewayTypes.INC]: 'INC',
  [gatewayTypes.LORA]: 'LORA',
  [gatewayTypes.IMSG_V1]: 'IMSG V1',
  [gatewayTypes.LSG_V1]: 'LSG V1',
  [gatewayTypes.IMSG_V2]: 'IMSG V2',
};

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

/** A member's name and what it is called, with its unit. */
type Row = [member: string, name: string, unit?: string];
const rows = (members: Members, list: readonly Row[]): GatewayFact[] =>
  list.map(([member, name, unit]) => {
    const value = textOf(members[member]);
    return value === DASH || unit === undefined ? { name, value } : { name, value, unit };
  });

const INC_SETTINGS: readonly Row[] = [
  ['rtcTime', 'Clock'],
  ['ipcListSize', 'Sprinklers in its list'],
  ['rptrListSize', 'Repeaters in its list'],
  ['schListSize', 'Schedules in its list'],
  ['commsMaxAttempts', 'Attempts at most'],
  ['commsMaxTTL', 'Answer waited for', 's'],
  ['chargeThreshold', 'Charge threshold', '%'],
  ['clockTreshold', 'Clock threshold', 's'],
  ['statusPeriod', 'Status period', 's'],
  ['timesetPeriod', 'Time set period', 's'],
];
const LSG_SETTINGS: readonly Row[] = [
  ['channel', 'Channel'],
  ['spfactor', 'Spreading factor'],
];
const LSG_STATUS: readonly Row[] = [
  ['lastRestart', 'Last restart'],
  ['validMessageCount', 'Valid messages'],
  ['logFolderSize', 'Log folder', 'MB'],
];

const common = (gateway: Gateway): GatewayFact[] => [
  { name: 'Type', value: gatewayTypeWords[gateway.type] ?? String(gateway.type) },
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
