import { scheduleTimeline } from '@headrace/contract/timeline';
import type { Mount } from '../../http/mount.ts';
import type { TimelineService } from './timeline.service.ts';

export function timelineRoutes(mount: Mount, timeline: TimelineService): void {
  mount(scheduleTimeline, ({ farm, query, now }) => timeline.timeline(farm.farm, query, now));
}
