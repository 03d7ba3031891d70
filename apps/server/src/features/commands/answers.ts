import type { UnitHeldReport } from '../programmes/held-writer.ts';
import type { Answer } from './command-life.ts';

/** An `up/ack` of a gateway, as ingest hands it over. Times in epoch ms. */
export interface GatewayAnswer {
  readonly farmId: number;
  readonly gatewayId: number;
  readonly cmdId: string;
  /** The unit it is about; null: the command as a whole. */
  readonly mac: string | null;
  readonly answer: Answer;
  /** By the gateway's clock. */
  readonly at: number;
  readonly receivedAt: number;
  readonly error: string;
  readonly done: number | null;
  readonly total: number | null;
  /** How often the radio asked the unit; null: it is not said. */
  readonly attempts: number | null;
}

/** A unit's own report of its valve. `at` in epoch ms. */
export interface ValveReport {
  readonly farmId: number;
  readonly deviceId: number;
  readonly at: number;
  readonly isOpen: boolean;
}

export interface CommandKey {
  readonly farmId: number;
  readonly commandId: number;
}

export interface GatewayKey {
  readonly farmId: number;
  readonly gatewayId: number;
}

/** What answers and reports changed; to be announced after the commit. */
export interface Settled {
  /** How many said done, of a command of ours. */
  readonly matched: number;
  readonly changed: readonly (CommandKey & { readonly isFinished: boolean })[];
  /** Gateways whose next command may go out now. */
  readonly gateways: readonly GatewayKey[];
  readonly swaps: readonly Swap[];
  /** What units did with their valves, by their answers. */
  readonly valves: readonly ValveReport[];
  /** Schedules that units took, by their answers. */
  readonly held: readonly UnitHeldReport[];
}

/** Two units changed places: `from` was at the position before, `to` is there now. */
export interface Swap {
  readonly farmId: number;
  readonly from: SwappedUnit;
  readonly to: SwappedUnit;
}
export interface SwappedUnit {
  readonly id: string;
  readonly serial: string;
  readonly mac: string;
}

export const nothingSettled: Settled = {
  matched: 0,
  changed: [],
  gateways: [],
  swaps: [],
  valves: [],
  held: [],
};
