import type { FarmModel } from './farm-model.ts';
import type { FarmLinks, Send } from './farm-links.ts';
import type { Faults } from './faults/faults.ts';
import type { Log } from './log.ts';
import { createOffsetClock, type ClockOffset } from './models/offset-clock.ts';
import type { Scheduler } from './scheduler.ts';
import type { LiveState } from './state.ts';

/** How gateways answer and how well they are heard in the field. */
export type RadioConditions = {
  /** What a gateway takes to answer for itself, ms. */
  readonly ackDelayMs: number;
  /** What one attempt to reach a unit takes, ms. */
  readonly unitDelayMs: number;
  /** Share of attempts that no unit hears, 0 to 1. */
  readonly radioLoss: number;
};

export type LiveFarmOptions = {
  readonly farm: FarmModel;
  readonly links: FarmLinks;
  readonly state: LiveState;
  readonly scheduler: Scheduler;
  /** 1 to 3600. Model time runs this many times faster and devices report this many times as often; stamps are the clock's. */
  readonly speed: number;
  readonly now: () => number;
  readonly radio: RadioConditions;
  /** Resolves when the farm's state as it is now can no longer be lost. */
  readonly persist: () => Promise<void>;
  readonly log: Log;
};

export type LiveContext = LiveFarmOptions & {
  readonly faults: Faults;
  /** Where the models are at a time of the clock. */
  readonly modelTime: (at: number) => number;
  /** The time of the clock at which the models are there. */
  readonly clockTime: (modelTime: number) => number;
  /** Sends without waiting; what fails is logged. */
  readonly dispatch: (sends: readonly Send[]) => void;
};

const NO_OFFSETS: readonly ClockOffset[] = [];

export function createLiveContext(options: LiveFarmOptions, faults: Faults): LiveContext {
  const { farm, log, speed, state } = options;
  const startedAt = options.now();
  // One for all units of a gateway: starts of waterings are remembered by it.
  const clocks = new Map(
    farm.profile.gateways.map(({ mac }) => [
      mac,
      createOffsetClock(farm.env.local, () => state.gateways[mac]?.offsets ?? NO_OFFSETS),
    ]),
  );
  const units = farm.units.map((place) => {
    const clock = clocks.get(place.unit.gatewayMac);
    return clock ? { ...place, clock } : place;
  });
  const aheadAtStart = state.aheadMs;
  return {
    ...options,
    farm: { ...farm, units },
    faults,
    modelTime: (at) => at + aheadAtStart + Math.max(0, at - startedAt) * (speed - 1),
    clockTime: (time) => {
      const at = time - aheadAtStart;
      return at <= startedAt ? at : Math.ceil(startedAt + (at - startedAt) / speed);
    },
    dispatch: (sends) => {
      for (const work of sends)
        work().catch((error: unknown) =>
          log.warn({ farm: farm.profile.name, reason: String(error) }, 'not published'),
        );
    },
  };
}

/** True when a whole interval, counted from its offset, was passed between two times. */
export function crossed(before: number, after: number, every: number, offset: number): boolean {
  return Math.floor((before - offset) / every) !== Math.floor((after - offset) / every);
}
