import { lanes } from '@headrace/device/lanes';
import type { GatewayState, Order } from './gateway-state.ts';

/**
 * A gateway's clock, set by `down/time`. After a restart it goes on by what it kept, but nothing that opens water trusts it before it is set
 * again. Its uptime nobody can set; it begins anew with every restart.
 */
export function createGatewayClock(own: GatewayState, now: () => number) {
  let isSet = false;
  const uptime = () => performance.now();
  const clock = () => now() + own.clockOffsetMs;

  return {
    /** Epoch ms. */
    now: clock,
    isSet: () => isSet,
    set: (utc: string): void => {
      own.clockOffsetMs = Date.parse(utc) - now();
      isSet = true;
    },
    lose: (): void => {
      isSet = false;
    },
    /** The uptime, ms, `within` seconds from now. */
    uptimeIn: (within: number): number => uptime() + within * 1000,
    /** Without a set time stops are done, however late they seem; what opens water is refused before this is asked. */
    isOver: ({ lane, expiresAt, beginBy }: Order): boolean =>
      (expiresAt !== null && clock() >= expiresAt && (isSet || lane > lanes.start)) ||
      (beginBy !== undefined && uptime() >= beginBy),
  };
}
export type GatewayClock = ReturnType<typeof createGatewayClock>;
