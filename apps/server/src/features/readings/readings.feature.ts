import type { Core, Feature } from '../../feature.ts';
import { EACH_HOUR } from '../../jobs/rhythm.ts';
import { expireUplinks } from './uplink-store.ts';

/** What is kept of what devices said. */
export function createReadingsFeature({ ofJobs, now }: Core): Feature {
  return { jobs: [{ name: 'uplinks', everyMs: EACH_HOUR, run: () => expireUplinks(ofJobs.pool, now()) }] };
}
