import type { LiveEvent } from '../../live/live-bus.ts';
import { statusEvent } from '../../live/status-event.ts';
import type { StatusEvent } from './status-events.ts';

/** What has been stored, as open pages are told of it. */
export function liveStatusEvent({
  farmId,
  farmUid,
  uid,
  serialNumber,
  type,
  updatedAt,
}: StatusEvent): LiveEvent {
  return statusEvent(farmId, {
    type,
    farmUID: farmUid,
    uid,
    serialNumber,
    updatedAt: updatedAt.toISOString(),
  });
}
