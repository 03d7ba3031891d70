import Type, { type Static } from 'typebox';
import { FieldMapping } from '@headrace/device/field-mapping';
import { defineEndpoint } from './endpoint.ts';
import { CODEC_SCRIPT_MAX } from './limits.ts';
import { needs } from './permissions.ts';
import { LineText, nullable, Success, Time, Uid } from './schemas.ts';

/** A codec of the farm by its uid, or a built-in one by its name. */
const CodecId = Type.String({
  pattern: '^([0-9a-fA-F]{24}|[a-z0-9-]{3,60})$',
  description: 'uid, or name of a built-in codec',
});
const versions = { minimum: 1, maximum: 2 ** 31 - 1 } as const;
const Version = Type.Integer(versions);
const Name = LineText({ minLength: 1, maxLength: 40 });
/** Counted in characters here and in bytes by the server. */
const Script = Type.String({
  minLength: 1,
  maxLength: CODEC_SCRIPT_MAX,
  description:
    'JavaScript: LoRa Alliance TS013 decodeUplink, at the top, exported or in a bundle, or the older Decode and Decoder',
});
const inFarm = { farm: { in: 'query', name: 'farmUID' } } as const;
const inFarmOfBody = { farm: { in: 'body', name: 'farmUID' } } as const;

export const CodecSummary = Type.Object({
  id: Type.String(),
  name: Type.String(),
  builtIn: Type.Boolean(),
  version: Version,
  measures: Type.Optional(Type.String({ description: 'of a built-in codec' })),
  firmware: Type.Optional(Type.String({ description: 'of the device, that a built-in codec is for' })),
  source: Type.Optional(
    Type.String({ description: 'where the vendor describes the payload of a built-in codec' }),
  ),
  mapping: nullable(FieldMapping),
  usedBy: Type.Array(Type.String({ description: 'names of sensors' })),
  off: nullable(Type.Object({ at: Time, reason: Type.String() })),
  updatedAt: nullable(Time),
});
export type CodecSummary = Static<typeof CodecSummary>;

export const listCodecs = defineEndpoint({
  key: 'GET /codecs',
  tag: 'Codecs',
  summary: "Payload codecs for LoRaWAN sensors: the farm's own and those that ship with the server",
  needs: needs.readSensors,
  target: inFarm,
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({ codecs: Type.Array(CodecSummary) }),
});

export const getCodec = defineEndpoint({
  key: 'GET /codec',
  tag: 'Codecs',
  summary: 'One codec with its script: the newest version unless another is asked for',
  needs: needs.readSensors,
  target: inFarm,
  query: Type.Object({ farmUID: Uid, codecId: CodecId, version: Type.Optional(Version) }),
  reply: Type.Object({
    ...CodecSummary.properties,
    script: Type.String(),
    versions: Type.Array(Type.Object({ version: Version, createdAt: nullable(Time) })),
  }),
});

export const createCodec = defineEndpoint({
  key: 'POST /codec',
  once: true,
  tag: 'Codecs',
  summary: 'Add a payload codec to the farm',
  needs: needs.editSensors,
  target: inFarmOfBody,
  body: Type.Object({ farmUID: Uid, name: Name, script: Script }),
  reply: Type.Object({ id: Uid, version: Version }),
});

export const updateCodec = defineEndpoint({
  key: 'PUT /codec',
  tag: 'Codecs',
  summary:
    'Upload a new version (older ones are kept), rename, or switch a codec on again that was switched off',
  needs: needs.editSensors,
  target: inFarmOfBody,
  body: Type.Object({
    farmUID: Uid,
    codecId: Uid,
    name: Type.Optional(Name),
    script: Type.Optional(Script),
    enabled: Type.Optional(Type.Literal(true)),
  }),
  reply: Type.Object({ id: Uid, version: Version }),
});

export const deleteCodec = defineEndpoint({
  key: 'DELETE /codec',
  tag: 'Codecs',
  summary: 'Remove a codec with all its versions; refused while sensors use it',
  needs: needs.editSensors,
  target: inFarm,
  query: Type.Object({ farmUID: Uid, codecId: Uid }),
  reply: Success,
});

const Values = Type.Record(Type.String(), Type.Unknown(), { description: 'by metric, after the mapping' });

/** Besides what an account's tries may use of a thread, see TRY_MS_PER_MINUTE. */
const TRIES_PER_MINUTE = 60;

export const tryCodec = defineEndpoint({
  key: 'POST /codec/try',
  perMinute: TRIES_PER_MINUTE,
  tag: 'Codecs',
  summary: 'Run a codec and a mapping on one payload; nothing is stored',
  needs: needs.editSensors,
  target: inFarmOfBody,
  body: Type.Object({
    farmUID: Uid,
    script: Type.Optional(Script),
    codecId: Type.Optional(CodecId),
    version: Type.Optional(Version),
    fPort: Type.Integer({ minimum: 1, maximum: 255 }),
    bytes: Type.String({ minLength: 2, maxLength: 1024, description: 'the payload, in hex or base64' }),
    encoding: Type.Optional(
      Type.Union([Type.Literal('hex'), Type.Literal('base64')], { description: 'guessed when left out' }),
    ),
    recvTime: Type.Optional(Time),
    mapping: Type.Optional(nullable(FieldMapping)),
  }),
  reply: Type.Object({
    data: Type.Unknown(),
    warnings: Type.Array(Type.String()),
    errors: Type.Array(Type.String()),
    values: Values,
    problems: Type.Array(Type.String()),
    tookMs: Type.Number(),
  }),
});

export const putDecoding = defineEndpoint({
  key: 'PUT /sensor/decoding',
  tag: 'Codecs',
  summary: 'Choose how the payloads of a LoRaWAN sensor are decoded and mapped',
  needs: needs.editSensors,
  target: { device: { in: 'body', name: 'deviceId' } },
  body: Type.Object({
    deviceId: Uid,
    codecId: nullable(CodecId),
    version: Type.Optional(
      nullable(Type.Integer({ ...versions, description: 'pins it; null is always the newest' })),
    ),
    mapping: nullable(FieldMapping),
    revision: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'of the choice that it replaces, as GET gave it: 409 where somebody has chosen since',
      }),
    ),
  }),
  reply: Type.Object({ success: Type.Literal(true), revision: Type.String() }),
});

const Count = Type.Integer({ minimum: 0 });
/** How far the stored messages of a sensor are decoded once more. */
const DecodingAnew = Type.Object({
  askedAt: Time,
  total: Count,
  done: Count,
  changed: Type.Integer({ minimum: 0, description: 'messages whose values are others now' }),
  failed: Type.Integer({
    minimum: 0,
    description:
      'messages that could not be decoded, or not in all; what was not decoded keeps its old values',
  }),
  problem: nullable(Type.String({ description: 'of one of those' })),
  finishedAt: nullable({ ...Time, description: 'where `done` is less than `total` it was cancelled' }),
  jobId: Type.Optional({ ...Uid, description: 'the job that does it; absent where there was nothing to do' }),
});

export const getDecoding = defineEndpoint({
  key: 'GET /sensor/decoding',
  tag: 'Codecs',
  summary: 'How the payloads of a LoRaWAN sensor are decoded, what it sent last, and how it was heard',
  needs: needs.readSensors,
  target: { device: { in: 'query', name: 'deviceId' } },
  query: Type.Object({ deviceId: Uid }),
  reply: Type.Object({
    codecId: nullable(Type.String()),
    version: nullable(Version),
    mapping: nullable(FieldMapping),
    revision: Type.String({ description: 'another one after each change of codec, version or mapping' }),
    lastUplink: nullable(
      Type.Object({
        at: Time,
        fPort: Type.Integer(),
        fCnt: Type.Integer(),
        bytes: nullable(Type.String({ description: 'hex' })),
        decodedBy: Type.String({ description: 'name of the codec, or "network server"' }),
        data: Type.Unknown(),
        warnings: Type.Array(Type.String()),
        problems: Type.Array(Type.String()),
      }),
    ),
    waiting: nullable(
      Type.Object(
        {
          count: Type.Integer({ minimum: 1 }),
          since: Time,
          tookMs: nullable(
            Type.Integer({ minimum: 0, description: 'what the codec took for the newest decoded message' }),
          ),
        },
        {
          description: 'messages of this sensor that are stored and not decoded yet; since: the oldest came',
        },
      ),
    ),
    keptSince: nullable({
      ...Time,
      description: 'time of the oldest kept message of the last 30 days; null: none is kept',
    }),
    anew: nullable(DecodingAnew),
    anewRoom: Type.Object(
      {
        left: Type.Integer({ minimum: 0 }),
        limit: Type.Integer({ description: 'in 24 hours' }),
        moreAt: nullable({ ...Time, description: 'from when on there are more; null: all are left' }),
      },
      { description: 'messages that the farm may still have decoded anew' },
    ),
    network: Type.Array(Type.Object({ name: Type.String(), value: Type.String(), at: Time })),
  }),
});

export const decodeAnew = defineEndpoint({
  key: 'POST /sensor/decoding/anew',
  tag: 'Codecs',
  summary:
    'Decode the kept messages of the last 30 days once more, with the codec and mapping that are saved: their values take the place of those stored. Progress is in GET /sensor/decoding',
  perMinute: 20,
  needs: needs.editSensors,
  target: { device: { in: 'body', name: 'deviceId' } },
  body: Type.Object({ deviceId: Uid }),
  reply: Type.Object({
    total: Type.Integer({ minimum: 0 }),
    jobId: Type.Optional({
      ...Uid,
      description: 'the job that does it, for GET /job; absent where total is 0',
    }),
  }),
});
