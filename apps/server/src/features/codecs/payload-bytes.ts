import { invalid } from '../../http/errors.ts';

const hexText = /^(?:[0-9a-f]{2})+$/i;
const base64Text = /^[A-Za-z0-9+/]+={0,2}$/;

/** A payload as people paste it: hex, with blanks or not, or base64. Text that could be either is hex. Throws invalid. */
export function payloadBytes(text: string, encoding?: 'hex' | 'base64'): number[] {
  const packed = text.replaceAll(/[\s:-]/g, '');
  if (encoding !== 'base64' && hexText.test(packed)) return [...Buffer.from(packed, 'hex')];
  if (encoding !== 'hex' && base64Text.test(packed)) return [...Buffer.from(packed, 'base64')];
  throw invalid(`bytes must be the payload in ${encoding ?? 'hex or base64'}.`, 'bytes');
}
