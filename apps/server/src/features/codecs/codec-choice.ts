import type { putDecoding } from '@headrace/contract/codecs';
import type { BodyOf } from '@headrace/contract/endpoint';
import type { DeviceRow } from '../../db/schema.ts';
import { notFound } from '../../http/errors.ts';
import type { Decoder } from '../devices/record-change.ts';
import { builtInCodecs } from './built-in-codecs.ts';
import type { CodecRow, CodecsRepo } from './codecs.repo.ts';

/** A farm's codecs and the built-in ones, by the id that a call names them by. */
export function createCodecChoice(codecs: CodecsRepo) {
  async function own(farmId: number, uid: string): Promise<CodecRow> {
    const codec = await codecs.find(farmId, uid);
    if (!codec) throw notFound();
    return codec;
  }

  async function scriptOf(farmId: number, id: string, version?: number): Promise<string> {
    const builtIn = builtInCodecs().get(id);
    if (builtIn) return builtIn.script;
    const codec = await own(farmId, id);
    const script = await codecs.script(farmId, codec.id, version ?? codec.version);
    if (script === undefined) throw notFound(`The codec has no version ${version}.`);
    return script;
  }

  /** What is to decode. Throws notFound where the farm has no such codec, or the codec no such version. */
  async function chosen(
    farmId: number,
    { codecId: id, version = null }: BodyOf<typeof putDecoding>,
  ): Promise<{ columns: Decoder['columns']; name: string }> {
    const none = { builtin_codec: null, codec_id: null, codec_version: null };
    if (id === null) return { columns: none, name: NETWORK_SERVER };
    const builtIn = builtInCodecs().get(id);
    if (builtIn) return { columns: { ...none, builtin_codec: id }, name: builtIn.name };
    const codec = await own(farmId, id);
    if (version !== null) await scriptOf(farmId, id, version);
    return {
      columns: { ...none, codec_id: codec.id, codec_version: version },
      name: versionName(codec.name, version),
    };
  }

  /** For the history. */
  async function nameNow({ farm_id, builtin_codec, codec_id, codec_version }: DeviceRow): Promise<string> {
    if (builtin_codec !== null) return builtInCodecs().get(builtin_codec)?.name ?? builtin_codec;
    const codec = codec_id === null ? undefined : await codecs.byId(farm_id, codec_id);
    return codec ? versionName(codec.name, codec_version) : NETWORK_SERVER;
  }

  return { own, scriptOf, chosen, nameNow };
}
export type CodecChoice = ReturnType<typeof createCodecChoice>;

/** Who decodes where no codec was chosen. */
const NETWORK_SERVER = 'network server';
const versionName = (name: string, version: number | null) =>
  version === null ? name : `${name}, version ${version}`;
