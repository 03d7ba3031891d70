import { ioAckId } from '@headrace/device/commands';
import type { IoSettingsDown, TimeDown } from '@headrace/device/downlinks';
import type { GatewayProfile } from '@headrace/demo/profile';
import type { Answers } from './answers.ts';
import type { GatewayClock } from './gateway-clock.ts';
import type { LiveContext } from '../live-context.ts';
import { withOffset } from '../models/offset-clock.ts';
import type { GatewayState } from './gateway-state.ts';
import type { OrderOf } from './orders.ts';
import type { OwnQueue } from './own-queue.ts';
import type { Relays } from './relays.ts';
import type { Verdicts } from './verdicts.ts';

interface SettingsParts {
  readonly gateway: GatewayProfile;
  readonly own: Pick<GatewayState, 'offsets'>;
  readonly clock: GatewayClock;
  readonly answers: Answers;
  readonly verdicts: Verdicts;
  readonly ownQueue: OwnQueue;
  readonly orderOf: OrderOf;
  readonly relays: Pick<Relays, 'bind'>;
  /** Its clock can't be set. */
  readonly refusesTime: () => boolean;
}

/** The time and the relays' settings that a gateway is sent. */
export function createOwnSettings(
  { now, modelTime }: Pick<LiveContext, 'now' | 'modelTime'>,
  parts: SettingsParts,
) {
  const { gateway, own, clock, answers, verdicts, ownQueue, orderOf, relays, refusesTime } = parts;

  function setTime({ utc, offsetSeconds, cmdId }: TimeDown): void {
    const isRefused = refusesTime();
    if (!isRefused) {
      clock.set(utc);
      own.offsets = withOffset(own.offsets, { from: modelTime(now()), offsetMs: offsetSeconds * 1000 });
    }
    if (cmdId === undefined || answers.repeat(cmdId)) return;
    if (isRefused) return verdicts.settle({ cmdId }, 'the clock could not be set');
    const task = { kind: 'time' as const };
    ownQueue.add({ cmdId, task, ...orderOf(task, {}) });
    verdicts.accept({ cmdId });
  }

  /** A gateway without relays can't keep them. */
  function takeIoSettings(settings: IoSettingsDown): void {
    if (gateway.io) relays.bind(settings);
    if (settings.rev === undefined) return answers.say([]);
    const cmdId = ioAckId(settings.rev);
    answers.giveOnce(
      gateway.io ? { cmdId, state: 'done' } : { cmdId, state: 'failed', error: 'this gateway has no relays' },
    );
  }

  return { setTime, takeIoSettings };
}
