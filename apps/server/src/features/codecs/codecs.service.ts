import { CODEC_SCRIPT_MAX, CODECS_PER_FARM } from '@headrace/contract/limits';
import type {
  CodecSummary,
  createCodec,
  getCodec,
  getDecoding,
  putDecoding,
  tryCodec,
  updateCodec,
} from '@headrace/contract/codecs';
import type { BodyOf, QueryOf, ReplyOf } from '@headrace/contract/endpoint';
import { applyMapping, type FieldMapping, mappingFault } from '@headrace/device/field-mapping';
import { networkMetrics } from '@headrace/device/metrics';
import { newUid } from '../../db/ids.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { conflict, invalid, notFound } from '../../http/errors.ts';
import { type BuiltInCodec, builtInCodecs } from './built-in-codecs.ts';
import type { CodecRow, CodecsRepo, Decoder } from './codecs.repo.ts';
import { decodingOf } from './decode-result.ts';
import { payloadBytes } from './payload-bytes.ts';
import type { Sandbox } from './sandbox/sandbox.ts';

interface Effects {
  sandbox: Sandbox;
  /** The codecs or sensors of a farm were changed. */
  onDevicesChanged(farmId: number): void;
}

export function createCodecsService(codecs: CodecsRepo, { sandbox, onDevicesChanged }: Effects) {
  async function own(farmId: number, uid: string): Promise<CodecRow> {
    const codec = await codecs.find(farmId, uid);
    if (!codec) throw notFound();
    return codec;
  }

  /** Throws invalid, with the line where it can be told. */
  async function checkScript(farmId: number, script: string): Promise<void> {
    const bytes = Buffer.byteLength(script);
    if (bytes > CODEC_SCRIPT_MAX)
      throw invalid(`The codec has ${bytes} bytes, at most ${CODEC_SCRIPT_MAX} are kept.`, 'script');
    const outcome = await sandbox.run(`check/${farmId}`, script, null);
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

  async function scriptOf(farmId: number, id: string, version?: number): Promise<string> {
    const builtIn = builtInCodecs().get(id);
    if (builtIn) return builtIn.script;
    const codec = await own(farmId, id);
    const script = await codecs.script(farmId, codec.id, version ?? codec.version);
    if (script === undefined) throw notFound(`The codec has no version ${version}.`);
    return script;
  }

  async function decoderOf(
    farmId: number,
    { codecId: id, version = null }: BodyOf<typeof putDecoding>,
  ): Promise<Decoder> {
    if (id === null) return { builtinCodec: null, codecId: null, version: null };
    if (builtInCodecs().has(id)) return { builtinCodec: id, codecId: null, version: null };
    const codec = await own(farmId, id);
    if (version !== null) await scriptOf(farmId, id, version);
    return { builtinCodec: null, codecId: codec.id, version };
  }

  return {
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

    async create(
      farmId: number,
      body: BodyOf<typeof createCodec>,
      now: Date,
    ): Promise<ReplyOf<typeof createCodec>> {
      if ((await codecs.list(farmId)).length >= CODECS_PER_FARM)
        throw conflict(`A farm has at most ${CODECS_PER_FARM} codecs: remove one first.`);
      const name = await checkName(farmId, body.name);
      await checkScript(farmId, body.script);
      const uid = newUid(now);
      await codecs.add(farmId, { uid, name, script: body.script }, now);
      return { id: uid, version: 1 };
    },

    async update(
      farmId: number,
      { codecId, name, script, enabled }: BodyOf<typeof updateCodec>,
      now: Date,
    ): Promise<ReplyOf<typeof updateCodec>> {
      const codec = await own(farmId, codecId);
      const newName = name === undefined ? undefined : await checkName(farmId, name, codec.id);
      if (script !== undefined) await checkScript(farmId, script);
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

    async try(farmId: number, body: BodyOf<typeof tryCodec>, now: Date): Promise<ReplyOf<typeof tryCodec>> {
      if ((body.script === undefined) === (body.codecId === undefined))
        throw invalid('Give either script or codecId.', 'script');
      const mapping = body.mapping ?? builtInCodecs().get(body.codecId ?? '')?.mapping ?? null;
      checkMapping(mapping);
      const script = body.script ?? (await scriptOf(farmId, body.codecId ?? '', body.version));
      const recvTime = body.recvTime ? new Date(body.recvTime) : now;
      const input = {
        bytes: payloadBytes(body.bytes, body.encoding),
        fPort: body.fPort,
        recvTime: recvTime.toISOString(),
      };
      const started = performance.now();
      const decoding = decodingOf(await sandbox.run(`try/${farmId}`, script, input), null);
      const tookMs = Math.round(performance.now() - started);
      if (!decoding.ok)
        return { data: null, warnings: [], errors: [decoding.reason], values: {}, problems: [], tookMs };
      const { values, problems } = applyMapping(decoding.object, mapping ?? undefined);
      const warnings = [...decoding.warnings];
      return { data: decoding.object, warnings, errors: [], values, problems, tookMs };
    },

    async setDecoding(device: DeviceRow, body: BodyOf<typeof putDecoding>, now: Date): Promise<void> {
      if (device.kind !== 'sensor') throw notFound();
      checkMapping(body.mapping);
      const decoder = await decoderOf(device.farm_id, body);
      const mapping = body.mapping && JSON.stringify(body.mapping);
      await codecs.setDecoding(device.farm_id, device.id, decoder, mapping, now);
      onDevicesChanged(device.farm_id);
    },

    async decoding(device: DeviceRow): Promise<ReplyOf<typeof getDecoding>> {
      if (device.kind !== 'sensor') throw notFound();
      const { farm_id: farmId, id } = device;
      const codec = device.codec_id === null ? undefined : await codecs.codecUid(farmId, device.codec_id);
      const last = await codecs.lastUplink(farmId, id);
      const network = await codecs.network(farmId, id, linkNames);
      return {
        codecId: device.builtin_codec ?? codec?.uid ?? null,
        version: device.codec_version,
        mapping: device.mapping && [...device.mapping],
        lastUplink: last
          ? {
              at: last.at.toISOString(),
              fPort: last.f_port,
              fCnt: Number(last.f_cnt),
              bytes: last.bytes?.toString('hex').toUpperCase() ?? null,
              decodedBy: last.codec ?? 'network server',
              data: last.object,
              warnings: last.warnings,
              problems: last.problems,
            }
          : null,
        network: network.map(({ name, value, at }) => ({ name, value, at: at.toISOString() })),
      };
    },
  };
}
export type CodecsService = ReturnType<typeof createCodecsService>;

const linkNames = [...networkMetrics.map(({ name }) => name), 'batteryPercent'];

/** Throws invalid. */
function checkMapping(mapping: FieldMapping | null): void {
  const fault = mapping && mappingFault(mapping);
  if (fault) throw invalid(`mapping.${fault}.`, 'mapping');
}

function ownSummary(row: CodecRow, usedBy: string[] = []): CodecSummary {
  return {
    id: row.uid,
    name: row.name,
    builtIn: false,
    version: row.version,
    mapping: null,
    usedBy,
    off: row.off_at ? { at: row.off_at.toISOString(), reason: row.off_reason ?? '' } : null,
    updatedAt: row.updated_at.toISOString(),
  };
}

function builtInSummary(codec: BuiltInCodec, usedBy: string[] = []): CodecSummary {
  const { id, name, measures, source, mapping } = codec;
  return {
    id,
    name,
    builtIn: true,
    version: 1,
    measures,
    source,
    mapping: [...mapping],
    usedBy,
    off: null,
    updatedAt: null,
  };
}
