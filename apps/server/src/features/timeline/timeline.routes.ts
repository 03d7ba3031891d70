import { previewSchedule } from '@headrace/contract/preview';
import { scheduleTimeline } from '@headrace/contract/timeline';
import type { Mount } from '../../http/mount.ts';
import type { TimelineService } from './timeline.service.ts';

export function timelineRoutes(mount: Mount, timeline: TimelineService): void {
  mount(previewSchedule, ({ farm, body, now }) => timeline.preview(farm.farm, body, now));
  mount(scheduleTimeline, ({ farm, query, now }) => timeline.timeline(farm.farm, query, now));
}
