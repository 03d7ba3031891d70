import { CODEC_SCRIPT_MAX, CODECS_PER_FARM } from '@headrace/contract/limits';
import type { createCodec, updateCodec } from '@headrace/contract/codecs';
import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import { newUid } from '../../db/ids.ts';
import { conflict, invalid } from '../../http/errors.ts';
import type { CodecChoice } from './codec-choice.ts';
import type { CodecsRepo } from './codecs.repo.ts';
import type { Editor } from './try-codec.ts';
import type { TryQueue } from './try-queue.ts';

export interface CodecEditParts {
  codecs: CodecsRepo;
  tries: TryQueue;
  own: CodecChoice['own'];
  /** The codecs of a farm were changed. */
  onDevicesChanged(farmId: number): void;
}

/** Codecs that a farm writes for itself. */
export function createCodecEdits({ codecs, tries, own, onDevicesChanged }: CodecEditParts) {
  /** Throws invalid, with the line where it can be told. */
  async function checkScript(accountId: number, script: string): Promise<void> {
    const bytes = Buffer.byteLength(script);
    if (bytes > CODEC_SCRIPT_MAX)
      throw invalid(`The codec has ${bytes} bytes, at most ${CODEC_SCRIPT_MAX} are kept.`, 'script');
    const outcome = await tries.run(accountId, script, null);
    if (outcome.kind !== 'failed') return;
    const where = outcome.line === null ? '' : `Line ${outcome.line}: `;
    throw invalid(`${where}${outcome.message}.`, 'script');
  }

  async function checkName(farmId: number, name: string, exceptId?: number): Promise<string> {
    const trimmed = name.trim();
    if (!trimmed) throw invalid('name is required.', 'name');
    if (await codecs.isNameTaken(farmId, trimmed, exceptId))
      throw conflict('The farm has a codec of this name.', 'name');
    return trimmed;
  }

  return {
    async create(
      { farmId, accountId }: Editor,
      body: BodyOf<typeof createCodec>,
      now: Date,
    ): Promise<ReplyOf<typeof createCodec>> {
      if ((await codecs.list(farmId)).length >= CODECS_PER_FARM)
        throw conflict(`A farm has at most ${CODECS_PER_FARM} codecs: remove one first.`);
      const name = await checkName(farmId, body.name);
      await checkScript(accountId, body.script);
      const uid = newUid(now);
      await codecs.add(farmId, { uid, name, script: body.script }, now);
      return { id: uid, version: 1 };
    },

    async update(
      { farmId, accountId }: Editor,
      { codecId, name, script, enabled }: BodyOf<typeof updateCodec>,
      now: Date,
    ): Promise<ReplyOf<typeof updateCodec>> {
      const codec = await own(farmId, codecId);
      const newName = name === undefined ? undefined : await checkName(farmId, name, codec.id);
      if (script !== undefined) await checkScript(accountId, script);
      const change = { name: newName, script, enable: enabled === true };
      const version = await codecs.update(farmId, codec.id, change, now);
      onDevicesChanged(farmId);
      return { id: codec.uid, version };
    },

    async remove(farmId: number, codecId: string): Promise<void> {
      const codec = await own(farmId, codecId);
      const users = (await codecs.users(farmId)).get(codec.id) ?? [];
      if (users.length > 0 || !(await codecs.remove(farmId, codec.id)))
        throw conflict(`Sensors use this codec: ${users.join(', ')}. Give them another one first.`);
      onDevicesChanged(farmId);
    },
  };
}
