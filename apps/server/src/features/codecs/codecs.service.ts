import type { CodecSummary, getCodec } from '@headrace/contract/codecs';
import type { QueryOf, ReplyOf } from '@headrace/contract/endpoint';
import type { DeviceRecords } from '../devices/device-records.ts';
import { builtInCodecs } from './built-in-codecs.ts';
import { createCodecChoice } from './codec-choice.ts';
import { createCodecEdits } from './codec-edits.ts';
import { builtInSummary, ownSummary } from './codec-summary.ts';
import type { CodecsRepo } from './codecs.repo.ts';
import { createDecodingService } from './decoding.service.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { StoredUplinksRepo } from './stored-uplinks.repo.ts';
import { createTryCodec } from './try-codec.ts';
import { createTryQueue } from './try-queue.ts';

interface Effects {
  records: Pick<DeviceRecords, 'together'>;
  /** Of its own: readings never wait for what people try. */
  trySandbox: Sandbox;
  /** The codecs or sensors of a farm were changed. */
  onDevicesChanged(farmId: number): void;
}

/** Codecs of a farm, and by which its sensors are decoded, put together. */
export function createCodecsService(codecs: CodecsRepo, stored: StoredUplinksRepo, effects: Effects) {
  const tries = createTryQueue(effects.trySandbox);
  const choice = createCodecChoice(codecs);
  const { own, scriptOf } = choice;
  return {
    ...createCodecEdits({ codecs, tries, own, onDevicesChanged: effects.onDevicesChanged }),
    ...createTryCodec(tries, choice),
    ...createDecodingService({ ...effects, codecs, stored, choice }),

    async list(farmId: number): Promise<CodecSummary[]> {
      const users = await codecs.users(farmId);
      const rows = await codecs.list(farmId);
      return [
        ...rows.map((row) => ownSummary(row, users.get(row.id))),
        ...[...builtInCodecs().values()].map((codec) => builtInSummary(codec, users.get(codec.id))),
      ];
    },

    async get(
      farmId: number,
      { codecId: id, version }: QueryOf<typeof getCodec>,
    ): Promise<ReplyOf<typeof getCodec>> {
      const users = await codecs.users(farmId);
      const script = await scriptOf(farmId, id, version);
      const builtIn = builtInCodecs().get(id);
      if (builtIn)
        return {
          ...builtInSummary(builtIn, users.get(id)),
          script,
          versions: [{ version: 1, createdAt: null }],
        };
      const row = await own(farmId, id);
      const versions = await codecs.versions(farmId, row.id);
      return {
        ...ownSummary(row, users.get(row.id)),
        script,
        versions: versions.map((one) => ({ version: one.version, createdAt: one.created_at.toISOString() })),
      };
    },
  };
}
export type CodecsService = ReturnType<typeof createCodecsService>;
