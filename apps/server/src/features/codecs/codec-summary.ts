import type { CodecSummary } from '@headrace/contract/codecs';
import type { BuiltInCodec } from './built-in-codecs.ts';
import type { CodecRow } from './codecs.repo.ts';

export function ownSummary(row: CodecRow, usedBy: string[] = []): CodecSummary {
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

export function builtInSummary(codec: BuiltInCodec, usedBy: string[] = []): CodecSummary {
  const { id, name, measures, firmware, source, mapping } = codec;
  return {
    id,
    name,
    builtIn: true,
    version: 1,
    measures,
    firmware,
    source,
    mapping: [...mapping],
    usedBy,
    off: null,
    updatedAt: null,
  };
}
