import { type Lane, lanes } from '@headrace/device/lanes';
import type { GatewayClock } from './gateway-clock.ts';
import { type OwnTask, type Order, type RadioJob, type RadioTask, usualLane } from './gateway-state.ts';

/** What messages say of the order and the time of what they ask for. */
type Asked = {
  readonly priority?: number;
  readonly seq?: number;
  readonly within?: number;
  readonly expiresAt?: string;
};

/** Reads it for a job; one that keeps no such members takes everything in turn. */
export function createOrders(clock: GatewayClock, isPlain: () => boolean) {
  return (task: RadioTask | OwnTask, { priority, seq, within, expiresAt }: Asked): Order => {
    const until = expiresAt === undefined ? null : Date.parse(expiresAt);
    if (isPlain()) return { lane: lanes.many, expiresAt: until };
    return {
      lane: priority === undefined ? usualLane(task) : (priority as Lane),
      ...(seq !== undefined && { seq }),
      ...(within !== undefined && { beginBy: clock.uptimeIn(within) }),
      expiresAt: until,
    };
  };
}
export type OrderOf = ReturnType<typeof createOrders>;

/** A job for the radio that has not been begun. */
export function radioJob({
  order,
  ...job
}: Pick<RadioJob, 'cmdId' | 'mac' | 'task'> & { readonly order: Order }): RadioJob {
  return { ...job, ...order, attempts: 0 };
}
