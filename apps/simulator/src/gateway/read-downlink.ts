import { type Checked, checker } from '@headrace/device/check';
import * as downlinks from '@headrace/device/downlinks';
import { parseJson } from '@headrace/device/json';
import type { GatewayDownKind } from '@headrace/device/topics';

const checkCommand = checker(downlinks.CommandDown);
const checkList = checker(downlinks.IpcListDown);
const checkSchedules = checker(downlinks.SchedulesDown);
const checkConfig = checker(downlinks.ConfigDown);
const checkTime = checker(downlinks.TimeDown);
const checkIoSettings = checker(downlinks.IoSettingsDown);

export type DownlinkHandlers = {
  readonly time: (message: downlinks.TimeDown) => void;
  readonly cmd: (message: downlinks.CommandDown) => void;
  readonly config: (message: downlinks.ConfigDown) => void;
  readonly list: (message: downlinks.IpcListDown) => void;
  readonly schedules: (message: downlinks.SchedulesDown) => void;
  readonly ioSettings: (message: downlinks.IoSettingsDown) => void;
};

/** Checks what came in and hands it to whom it is for. Returns why it can't be read, if so; never throws. */
export function readDownlink(
  kind: GatewayDownKind,
  payload: Uint8Array,
  handlers: DownlinkHandlers,
): string | null {
  const parsed = parseJson(payload);
  if (!parsed.ok) return parsed.reason;
  const { value } = parsed;
  switch (kind) {
    case 'time':
      return passTo(checkTime(value), handlers.time);
    case 'cmd':
      return passTo(checkCommand(value), handlers.cmd);
    case 'config':
      return passTo(checkConfig(value), handlers.config);
    case 'ipc-list':
      return passTo(checkList(value), handlers.list);
    case 'schedules':
      return passTo(checkSchedules(value), handlers.schedules);
    case 'io-settings':
      return passTo(checkIoSettings(value), handlers.ioSettings);
    default:
      return kind satisfies never;
  }
}

function passTo<T>(checked: Checked<T>, handler: (message: T) => void): string | null {
  if (!checked.ok) return checked.reason;
  handler(checked.value);
  return null;
}
