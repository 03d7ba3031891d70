import type { StatusMessage } from '@headrace/device/messages';
import { gatewayTypes } from '@headrace/device/numbers';
import type { GatewayProfile } from '@headrace/demo/profile';
import type { LiveContext } from '../live-context.ts';
import { bootloaderVersion, type GatewayState } from './gateway-state.ts';

/** `up/status` of an INC and an LSG_V1; the others tell their versions alone. */
export function statusOf(
  { farm }: LiveContext,
  gateway: GatewayProfile,
  own: GatewayState,
  now: number,
): StatusMessage {
  const at = new Date(now).toISOString();
  const { settings, firmwareVersion } = own;
  const info = { firmwareVersion, bootloaderVersion };
  const data = {
    lastRestart: new Date(own.lastRestart).toISOString(),
    // About one a minute.
    validMessageCount: Math.floor(Math.max(0, now - own.countedFrom) / 60_000),
  };
  if (gateway.type === gatewayTypes.LSG_V1) {
    const { channel, spfactor } = settings;
    return { at, settings: { channel, spfactor }, info, data: { ...data, logFolderSize: 14.2 } };
  }
  if (gateway.type !== gatewayTypes.INC) return { at, info };
  const { channel: _channel, spfactor: _spfactor, ...incSettings } = settings;
  return {
    at,
    settings: {
      rtcTime: new Date(now + own.clockOffsetMs).toISOString(),
      ipcListSize: Object.keys(own.list?.ipcs ?? {}).length,
      rptrListSize: Object.keys(own.list?.repeaters ?? {}).length,
      schListSize: Object.keys(own.schedules).length || (farm.profile.irrigation?.groups.length ?? 0),
      ...incSettings,
    },
    info,
    data,
  };
}
