import type { DueHeld } from './due-uplinks.ts';

/** Remembered at most; those that had their turn longest ago are forgotten. */
const SENSORS = 20_000;

/** Which sensor of a farm had its turn when: however often what waits is read anew, the one that waits longest is next. */
export function createSensorTurns() {
  const served = new Map<number, number>();
  let turn = 0;
  return {
    served(deviceId: number): void {
      served.delete(deviceId);
      served.set(deviceId, (turn += 1));
      if (served.size > SENSORS) for (const oldest of served.keys()) return void served.delete(oldest);
    },
    inTurn(waiting: readonly DueHeld[]): DueHeld[] {
      const before = ({ due }: DueHeld) => served.get(due.deviceId) ?? 0;
      return waiting.toSorted(
        (a, b) => Number(a.due.anew) - Number(b.due.anew) || a.turn - b.turn || before(a) - before(b),
      );
    },
  };
}
