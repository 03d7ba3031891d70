import { readFileSync } from 'node:fs';
import { checker } from '@headrace/device/check';
import { CodecManifest } from '@headrace/device/codec-manifest';
import type { FieldMapping } from '@headrace/device/field-mapping';

/** A codec that ships with the server. */
export interface BuiltInCodec {
  readonly id: string;
  /** Vendor and model. */
  readonly name: string;
  readonly measures: string;
  /** Versions whose payload it reads. */
  readonly firmware: string;
  readonly source: string;
  readonly script: string;
  /** For sensors without a mapping of their own. */
  readonly mapping: FieldMapping;
}

const folder = new URL('../../../../../packages/device/codecs/', import.meta.url);
let codecs: ReadonlyMap<string, BuiltInCodec> | undefined;

/** By id. Read once; throws when a file of ours is missing or wrong. */
export function builtInCodecs(): ReadonlyMap<string, BuiltInCodec> {
  codecs ??= readAll();
  return codecs;
}

function readAll(): ReadonlyMap<string, BuiltInCodec> {
  const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');
  const manifest = checker(CodecManifest)(JSON.parse(read('manifest.json')), 'codecs/manifest.json');
  if (!manifest.ok) throw new Error(manifest.reason);
  return new Map(
    manifest.value.map(({ vendor, model, files, ...codec }) => [
      codec.id,
      { ...codec, name: `${vendor} ${model}`, script: files.map(read).join('\n') },
    ]),
  );
}
