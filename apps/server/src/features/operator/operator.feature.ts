import type { Core, Feature } from '../../feature.ts';
import { logActs } from './log-acts.ts';

const EVERY_MS = 30_000;

/** What a running server does about the operator's commands. */
export function createOperatorFeature({ ofJobs, log, now }: Core): Feature {
  return { jobs: [{ name: 'log-acts', everyMs: EVERY_MS, run: () => logActs(ofJobs.db, log, now()) }] };
}
