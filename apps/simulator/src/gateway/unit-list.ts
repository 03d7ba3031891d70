import { listAckId } from '@headrace/device/commands';
import type { IpcListDown } from '@headrace/device/downlinks';
import type { LiveContext } from '../live-context.ts';
import type { LiveUnits } from '../live-units.ts';
import type { Answers } from './answers.ts';
import type { GatewayState } from './gateway-state.ts';
import { createParts } from './parts.ts';

/** The list of units that a gateway serves. Units that are new on it are heard at once. */
export function createUnitList(
  { faults, scheduler, now, dispatch, radio: { ackDelayMs } }: LiveContext,
  mac: string,
  own: GatewayState,
  units: LiveUnits,
  answers: Answers,
) {
  const parts = createParts<IpcListDown>();

  function take(message: IpcListDown): void {
    const { rev } = message;
    if (rev < (own.list?.rev ?? 0)) return;
    const all = parts.add(message);
    if (!all) return;
    const cmdId = listAckId(rev);
    if (faults.get(mac, 'list-not-loaded')) {
      answers.giveOnce({ cmdId, state: 'failed', error: 'the list of units could not be stored' });
      return;
    }
    faults.mend(mac, 'list-lost');
    const ipcs = all.flatMap((part) => part.ipcs);
    const repeaters = all.flatMap((part) => part.repeaters);
    const before = own.list;
    own.list = {
      rev,
      ipcs: Object.fromEntries(ipcs.map((unit) => [unit.mac, { commsMode: unit.commsMode }])),
      repeaters: Object.fromEntries(repeaters.map((repeater) => [repeater.mac, true])),
    };
    scheduler.add(now() + ackDelayMs, () => {
      answers.giveOnce({ cmdId, state: 'done' });
      dispatch([
        ...ipcs
          .filter(({ mac: unit }) => !before?.ipcs[unit])
          .flatMap((unit) => units.report(unit.mac, false)),
        ...repeaters
          .filter(({ mac: repeater }) => !before?.repeaters[repeater])
          .flatMap((repeater) => units.reportRepeater(repeater.mac)),
      ]);
    });
  }

  return {
    take,
    /** MAC addresses; `null` when it has lost it. */
    served: (): string[] | null => own.list && Object.keys(own.list.ipcs),
    rev: (): number => own.list?.rev ?? 0,
  };
}
