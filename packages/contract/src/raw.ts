import Type from 'typebox';
import type { Raw } from './endpoint.ts';

/** `reply` of an endpoint that `sends` a file, text or a stream. */
export const RawReply = Type.Unsafe<Raw>({ type: 'string', format: 'binary' });

/** `body` of an endpoint that `takes` something else than JSON: its bytes, checked by who reads them. */
export const RawBody = Type.Unsafe<Uint8Array>({});
