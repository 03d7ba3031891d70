import { afterAll, describe, expect, it } from 'vitest';
import { mappingFault, applyMapping } from '@headrace/device/field-mapping';
import examples from '../../../../../packages/device/fixtures/codec-examples.json' with { type: 'json' };
import { builtInCodecs } from './built-in-codecs.ts';
import { decodingOf } from './decode-result.ts';
import { createSandbox } from './sandbox/sandbox.ts';

const sandbox = createSandbox();
afterAll(() => sandbox.close());

async function decode(codecId: string, fPort: number, hex: string) {
  const codec = builtInCodecs().get(codecId);
  if (!codec) throw new Error(`no codec ${codecId}`);
  const input = { bytes: [...Buffer.from(hex, 'hex')], fPort, recvTime: '2026-01-14T18:04:15Z' };
  const decoding = decodingOf(await sandbox.run(codecId, codec.script, input), codec.mapping);
  if (!decoding.ok) throw new Error(decoding.reason);
  return { decoding, codec };
}

/** Numbers as near as floating point allows; units and display names are ours to choose. */
function near(value: unknown): unknown {
  if (typeof value === 'number') return expect.closeTo(value, 6) as unknown;
  if (Array.isArray(value)) return value.map(near);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, near(member)]));
  return expect.objectContaining(members);
}

describe('the built-in codecs', () => {
  it.each(examples)('$codec decodes as its vendor does: $source', async ({ codec, fPort, bytes, data }) => {
    const { decoding } = await decode(codec, fPort, bytes);
    expect(decoding.object).toEqual(near(data));
  });

  it.each(examples)(
    '$codec gives $readings by its mapping',
    async ({ codec: id, fPort, bytes, readings }) => {
      const { decoding, codec } = await decode(id, fPort, bytes);
      const { values, problems } = applyMapping(decoding.object, codec.mapping);
      expect(problems).toEqual([]);
      expect(values).toEqual(
        Object.fromEntries(Object.entries(readings).map(([name, value]) => [name, near(value)])),
      );
    },
  );

  it.each([...builtInCodecs().values()])(
    '$id has an example, a source and a mapping that can be used',
    (codec) => {
      expect(examples.filter((example) => example.codec === codec.id)).not.toEqual([]);
      expect([codec.source.length > 10, mappingFault(codec.mapping)]).toEqual([true, null]);
    },
  );

  it.each([...builtInCodecs().keys()])('%s refuses what is cut off', async (id) => {
    const example = examples.find(({ codec }) => codec === id);
    await expect(decode(id, example?.fPort ?? 1, example?.bytes.slice(0, 2) ?? '')).rejects.toThrow(
      /ends early|unknown FPort|not read from channel/,
    );
  });
});
