import type { FarmModel } from './farm-model.ts';
import type { FarmLinks, Send } from './farm-links.ts';
import type { Log } from './mqtt-link.ts';
import type { Scheduler } from './scheduler.ts';
import type { LiveState } from './state-store.ts';

export type LiveFarmOptions = {
  readonly farm: FarmModel;
  readonly links: FarmLinks;
  readonly state: LiveState;
  readonly scheduler: Scheduler;
  /** 1 to 3600. Model time runs this many times faster and devices report this many times as often; stamps are the clock's. */
  readonly speed: number;
  readonly now: () => number;
  readonly log: Log;
};

export type LiveContext = LiveFarmOptions & {
  /** Where the models are at a time of the clock. */
  readonly modelTime: (at: number) => number;
  /** Sends without waiting; what fails is logged. */
  readonly dispatch: (sends: readonly Send[]) => void;
};

export function createLiveContext(options: LiveFarmOptions): LiveContext {
  const { farm, log, speed, state } = options;
  const startedAt = options.now();
  const aheadAtStart = state.aheadMs;
  return {
    ...options,
    modelTime: (at) => at + aheadAtStart + Math.max(0, at - startedAt) * (speed - 1),
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
