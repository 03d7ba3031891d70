import { Type, type Static } from 'typebox';
import { FieldMapping } from './field-mapping.ts';

/** `codecs/manifest.json`: what each codec that ships with the server is for, and how its numbers become our metrics. */
export const CodecManifest = Type.Array(
  Type.Object({
    id: Type.String({ pattern: '^[a-z0-9-]{3,60}$' }),
    vendor: Type.String(),
    model: Type.String(),
    measures: Type.String(),
    /** Versions of the firmware whose payload it reads, as far as the vendor or a device repository says. */
    firmware: Type.String({ minLength: 1 }),
    /** Where the vendor describes the payload. */
    source: Type.String(),
    /** The script, in parts: what a vendor's models share comes first. */
    files: Type.Array(Type.String({ pattern: '^[a-z0-9-]+\\.js$' }), { minItems: 1 }),
    mapping: FieldMapping,
  }),
);
export type CodecManifest = Static<typeof CodecManifest>;
