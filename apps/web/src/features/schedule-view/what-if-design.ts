import type { BodyOf } from '@headrace/contract/endpoint';
import { DAY_MINUTES } from '@headrace/contract/rules/schedule/plan';
import type { createTemplate } from '@headrace/contract/schedule-templates';
import type { Trial } from './what-if-bar.tsx';

type Design = BodyOf<typeof createTemplate>;

/**
 * A design with what was tried out. Lines at once become the most flow that they draw (`peakLps`, L/s); a line that is held and a
 * day that is skipped are of that day alone.
 */
export function triedDesign(design: Design, trial: Trial, peakLps: number): Design {
  const minutes = (duration: number) => Math.min(DAY_MINUTES, Math.max(1, duration + trial.durationBy));
  const start = (design.startMin ?? 0) + trial.startBy;
  const { limits } = design;
  const most = trial.linesAtOnce === null ? (limits?.maxLps ?? null) : Math.ceil(peakLps * 10) / 10;
  return {
    ...design,
    groups: design.groups.map((group) =>
      group.duration === undefined ? group : { ...group, duration: minutes(group.duration) },
    ),
    settings: { ...design.settings, duration: minutes(design.settings.duration) },
    startMin: ((start % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES,
    limits: most === null && !limits ? null : { ...(limits ?? { windows: [], avoid: [] }), maxLps: most },
  };
}
