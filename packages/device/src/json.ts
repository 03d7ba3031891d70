import { maxMessageBytes, maxMessageDepth } from './messages.ts';

export type Parsed = { ok: true; value: unknown } | { ok: false; reason: string };

const utf8 = new TextDecoder('utf-8', { fatal: true });
const quote = 0x22;
const backslash = 0x5c;

/** Bytes from a device as JSON: size and depth first, then UTF-8, then syntax. Never throws. */
export function parseJson(payload: Uint8Array): Parsed {
  if (payload.byteLength > maxMessageBytes)
    return {
      ok: false,
      reason: `message has ${payload.byteLength} bytes, at most ${maxMessageBytes} are read`,
    };
  if (isTooDeep(payload)) return { ok: false, reason: `message nests deeper than ${maxMessageDepth} levels` };
  let text: string;
  try {
    text = utf8.decode(payload);
  } catch {
    return { ok: false, reason: 'message is not UTF-8' };
  }
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return { ok: false, reason: 'message is not JSON' };
  }
}

/** Counts open brackets outside strings: cheaper than walking the parsed value, and done before the parser sees it. */
function isTooDeep(bytes: Uint8Array): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (inString) {
      if (byte === backslash) index += 1;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      if (depth > maxMessageDepth) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
  }
  return false;
}
