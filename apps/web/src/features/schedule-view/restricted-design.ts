import type { BodyOf } from '@headrace/contract/endpoint';
import type { createTemplate } from '@headrace/contract/schedule-templates';
import { ApiError } from '../../api/client.ts';

type Design = BodyOf<typeof createTemplate>;

/** How a set is trimmed: some groups stop, or all water for less. */
export type Restriction =
  | { readonly kind: 'without'; readonly groups: ReadonlySet<string> }
  | { readonly kind: 'shorter'; readonly percent: number };

/** What the name of the trimmed template ends with. */
export const restrictionName = (by: Restriction): string =>
  by.kind === 'without' ? ' (restricted)' : ` (−${by.percent} %)`;

/** The design trimmed; whole minutes, rounded down. Throws where nothing would be left. */
export function restrictedDesign(design: Design, by: Restriction): Design {
  if (by.kind === 'shorter') {
    const shorter = (minutes: number) => Math.max(1, Math.floor((minutes * (100 - by.percent)) / 100));
    return {
      ...design,
      settings: { ...design.settings, duration: shorter(design.settings.duration) },
      groups: design.groups.map((group) =>
        group.duration === undefined ? group : { ...group, duration: shorter(group.duration) },
      ),
    };
  }
  const groups = design.groups.filter(({ uid }) => !by.groups.has(uid));
  if (groups.length === 0) throw new ApiError(409, { errorMessage: NONE_LEFT });
  return { ...design, groups };
}

const NONE_LEFT = 'No group of the current set would be left. Hold the groups instead.';
