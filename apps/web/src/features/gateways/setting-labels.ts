import { gatewayTypes } from '@headrace/contract/gateway-types';
import type { GatewaySetting } from '@headrace/contract/rules/gateway-settings';

interface SettingLabel {
  readonly label: string;
  /** s: shown in the largest unit of which it is a whole number. */
  readonly unit?: 's' | '%';
  /** What it decides, where that isn't plain. */
  readonly hint?: string;
}

export const settingLabels: Readonly<Record<GatewaySetting, SettingLabel>> = {
  commsMaxAttempts: { label: 'Attempts at most', hint: 'So often its radio asks one unit.' },
  commsMaxTTL: {
    label: 'Answer waited for',
    unit: 's',
    hint: 'A single command is given up after that: after a minute at the earliest, an hour at the latest.',
  },
  chargeThreshold: { label: 'Charge threshold', unit: '%', hint: 'Below it a battery is low.' },
  clockTreshold: { label: 'Clock threshold', unit: 's', hint: 'Beyond it a clock is wrong.' },
  statusPeriod: {
    label: 'Status period',
    unit: 's',
    hint: 'So often it reports. Silent for twice as long, it counts as unavailable.',
  },
  timesetPeriod: { label: 'Time set period', unit: 's', hint: 'So often it sets the clocks of its units.' },
  channel: { label: 'Channel' },
  spfactor: { label: 'Spreading factor' },
};

/** Those that each type of gateway has, by its number. */
export const settingsOf: Readonly<Partial<Record<number, readonly GatewaySetting[]>>> = {
  [gatewayTypes.INC]: [
    'commsMaxAttempts',
    'commsMaxTTL',
    'chargeThreshold',
    'clockTreshold',
    'statusPeriod',
    'timesetPeriod',
  ],
  [gatewayTypes.LSG_V1]: ['channel', 'spfactor'],
};
