import type { Core, Feature } from '../../feature.ts';
import type { DeviceRecords } from '../devices/device-records.ts';
import type { Messages } from '../messages/messages.ts';
import { createCodecsRepo } from './codecs.repo.ts';
import { codecsRoutes } from './codecs.routes.ts';
import { createCodecsService } from './codecs.service.ts';
import { decodeAnewJob } from './decode-anew-job.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import { createStoredUplinksRepo } from './stored-uplinks.repo.ts';
import { tellSwitchedOff } from './tell-switched-off.ts';

export interface CodecsFeature extends Feature {
  /** Tells the farm's people that a codec costs too much and isn't run any more. */
  switchedOff(farmId: number, codec: { name: string; reason: string }): void;
}

/** What decodes the messages of LoRaWAN sensors. */
export function createCodecsFeature(
  { db, ofJobs, log, now, onDevicesChanged }: Core,
  needs: { records: DeviceRecords; messages: Messages; trySandbox: Sandbox; wakeDecoding: () => void },
): CodecsFeature {
  const { messages } = needs;
  const service = createCodecsService(createCodecsRepo(db), createStoredUplinksRepo(db), {
    ...needs,
    onDevicesChanged,
  });
  return {
    routes: (mount) => codecsRoutes(mount, service),
    longJobs: [
      decodeAnewJob({ stored: createStoredUplinksRepo(ofJobs.db), wakeDecoding: needs.wakeDecoding, now }),
    ],
    switchedOff(farmId, codec) {
      tellSwitchedOff({ db, messages }, { farmId, ...codec }, now()).catch((err: unknown) =>
        log.warn({ err, farmId }, 'a switched off codec was not told'),
      );
    },
  };
}
