import type { tryCodec } from '@headrace/contract/codecs';
import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import { applyMapping, type FieldMapping, mappingFault } from '@headrace/device/field-mapping';
import { invalid } from '../../http/errors.ts';
import { builtInCodecs } from './built-in-codecs.ts';
import type { CodecChoice } from './codec-choice.ts';
import { decodingOf } from './decode-result.ts';
import { payloadBytes } from './payload-bytes.ts';
import type { TryQueue } from './try-queue.ts';

/** Who changes or tries a codec, and of which farm. */
export interface Editor {
  readonly farmId: number;
  readonly accountId: number;
}

/** What a codec makes of a message that somebody types. */
export function createTryCodec(tries: TryQueue, { scriptOf }: Pick<CodecChoice, 'scriptOf'>) {
  return {
    async try(
      { farmId, accountId }: Editor,
      body: BodyOf<typeof tryCodec>,
      now: Date,
    ): Promise<ReplyOf<typeof tryCodec>> {
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
      const decoding = decodingOf(await tries.run(accountId, script, input), null);
      const tookMs = Math.round(performance.now() - started);
      if (!decoding.ok)
        return { data: null, warnings: [], errors: [decoding.reason], values: {}, problems: [], tookMs };
      const { values, problems } = applyMapping(decoding.object, mapping, input.recvTime);
      const warnings = [...decoding.warnings];
      return { data: decoding.object, warnings, errors: [], values, problems, tookMs };
    },
  };
}

/** Throws invalid. */
export function checkMapping(mapping: FieldMapping | null): void {
  const fault = mapping && mappingFault(mapping);
  if (fault) throw invalid(`mapping.${fault}.`, 'mapping');
}
