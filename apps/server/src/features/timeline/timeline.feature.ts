import type { Core, Feature } from '../../feature.ts';
import { createTimelineRepo } from './timeline.repo.ts';
import { createKeptViews } from './kept-views.ts';
import { timelineRoutes } from './timeline.routes.ts';
import { createTimelineService, type TimelineParts } from './timeline.service.ts';

/** What sprinklers will water, and why not. */
export function createTimelineFeature({ db }: Core, parts: TimelineParts) {
  const service = createTimelineService(createTimelineRepo(db), createKeptViews(db), parts);
  return { routes: (mount) => timelineRoutes(mount, service), service } satisfies Feature & {
    service: unknown;
  };
}
