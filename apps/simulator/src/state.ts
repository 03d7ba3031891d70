import type { Fault } from './faults/fault-kinds.ts';
import type { GatewayState } from './gateway/gateway-state.ts';
import type { SensorStates } from './history.ts';
import type { UnitState } from './models/sprinkler.ts';

/** What a farm was at, as kept between runs. Plain data. */
export type FarmState = {
  version: 1;
  seed: number;
  /** History still to be published; `null` when it is done. */
  backfill: BackfillState | null;
  live: LiveState;
};

export type BackfillState = {
  /** Start and end of the history. */
  from: number;
  end: number;
  /** Which kind of devices is under way, and how far it has come and been acknowledged. */
  stage: number;
  until: number;
  sensors: SensorStates;
};

export type LiveState = {
  /** How far model time runs ahead of the clock, ms: more than 0 once a speed above 1 has been used. */
  aheadMs: number;
  sensors: SensorStates;
  /** When each sensor last reported, by the clock. */
  reportedAt: Record<string, number>;
  /** By the MAC address that a unit's place has in the profile: the unit there may have been replaced. */
  units: Record<string, UnitState>;
  /** Places whose valve was last reported open. */
  openUnits: string[];
  gateways: Record<string, GatewayState>;
  /** By the MAC address of the device. */
  faults: Record<string, Fault[]>;
};

export function emptyLive(): LiveState {
  return { aheadMs: 0, sensors: {}, reportedAt: {}, units: {}, openUnits: [], gateways: {}, faults: {} };
}
