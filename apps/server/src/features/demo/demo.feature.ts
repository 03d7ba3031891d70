import type { Core, Feature } from '../../feature.ts';
import type { CommandsService } from '../commands/commands.service.ts';
import { sendFirst } from './first-send.ts';

const EACH_20_S = 20_000;

/** What happens on the demo's farms besides what people do there. */
export function createDemoFeature({ ofJobs, now }: Core, commands: Pick<CommandsService, 'send'>): Feature {
  const run = () => sendFirst(ofJobs.db, commands, now());
  return { jobs: [{ name: 'demo', everyMs: EACH_20_S, run }] };
}
