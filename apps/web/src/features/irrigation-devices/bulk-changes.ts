import type { Api } from '@headrace/contract/api';
import type { ListedUnit } from '@headrace/contract/unit-list';
import { all, radioChannel, radioFarmId, required } from '@headrace/contract/rules/form-rules';
import type { EnteredNumber } from '../../forms/fields.tsx';
import { isSame } from '../../forms/merge.ts';
import { numberText } from '../../ui/format.ts';
import { commsModeText } from '../../device-records/comms-modes.ts';

export type BulkChanges = Api['POST /ipc/bulk-edit']['body']['changes'];
/** The server takes so many at once. */
export const BULK_MAX = 5000;

/** What the form of a bulk edit holds. */
export interface BulkValues {
  channel: EnteredNumber;
  farmId: string;
  commsMode: string;
  gatewayUID: string;
  isSpareUnit: boolean;
  isPartSprinkler: boolean;
  groups: readonly string[];
}
export type BulkField = keyof BulkValues;
export const bulkFields: readonly BulkField[] = [
  'channel',
  'farmId',
  'commsMode',
  'gatewayUID',
  'isSpareUnit',
  'isPartSprinkler',
  'groups',
];

export const bulkLabels: Record<BulkField, string> = {
  channel: 'Radio channel',
  farmId: 'Radio farm ID',
  commsMode: 'Comms mode',
  gatewayUID: 'Gateway',
  isSpareUnit: 'Spare unit',
  isPartSprinkler: 'Part sprinkler',
  groups: 'Groups',
};

const rules = {
  channel: all(required('Channel'), radioChannel()),
  farmId: all(required('Farm ID'), radioFarmId()),
};

/** What is wrong with what is to be changed, by field. */
export function validateBulk(
  values: BulkValues,
  fields: ReadonlySet<BulkField>,
): Partial<Record<BulkField, string>> {
  const channel = fields.has('channel') && rules.channel(values.channel);
  const farmId = fields.has('farmId') && rules.farmId(values.farmId);
  return { ...(channel && { channel }), ...(farmId && { farmId }) };
}

/** What is sent. */
export function changesOf(values: BulkValues, fields: ReadonlySet<BulkField>): BulkChanges {
  const made = {
    channel: Number(values.channel),
    farmId: values.farmId.trim(),
    commsMode: Number(values.commsMode),
    gatewayUID: values.gatewayUID || null,
    isSpareUnit: values.isSpareUnit,
    isPartSprinkler: values.isPartSprinkler,
    groups: [...values.groups],
  };
  return Object.fromEntries(Object.entries(made).filter(([name]) => fields.has(name as BulkField)));
}

/** Of the farm's groups and gateways, by id. */
export interface Names {
  readonly groups: ReadonlyMap<string, string>;
  readonly gateways: ReadonlyMap<string, string>;
}

/** One sentence for each field: what it becomes, and of how many that is no change. */
export function effects(chosen: readonly ListedUnit[], changes: BulkChanges, names: Names): string[] {
  return bulkFields.flatMap((field) => {
    const value = changes[field];
    if (value === undefined) return [];
    const same = chosen.filter((unit) => isSame(comparable(unit[field]), comparable(value))).length;
    const differing = chosen.length - same;
    const words = valueText(changes, field, names);
    const becomes = `${bulkLabels[field]} ${field === 'groups' ? 'become' : 'becomes'} ${words} for ${numberText(differing)}`;
    const already = `${numberText(same)} ${same === 1 ? 'has' : 'have'} it already`;
    return [same > 0 ? `${becomes}; ${already}.` : `${becomes}.`];
  });
}

/** Groups have no order. */
const comparable = (value: BulkChanges[BulkField]) =>
  Array.isArray(value) ? value.toSorted((one, other) => (one < other ? -1 : 1)) : value;

function valueText(changes: BulkChanges, field: BulkField, names: Names): string {
  const { commsMode = 0, groups = [], gatewayUID, isSpareUnit, isPartSprinkler, channel, farmId } = changes;
  switch (field) {
    case 'commsMode':
      return commsModeText(commsMode);
    case 'groups':
      return groups.map((id) => names.groups.get(id) ?? id).join(', ') || 'none';
    case 'gatewayUID':
      return gatewayUID ? (names.gateways.get(gatewayUID) ?? gatewayUID) : 'any of the farm';
    case 'isSpareUnit':
      return isSpareUnit ? 'on' : 'off';
    case 'isPartSprinkler':
      return isPartSprinkler ? 'on' : 'off';
    case 'channel':
      return String(channel);
    case 'farmId':
      return farmId ?? '';
    default:
      return field satisfies never;
  }
}
