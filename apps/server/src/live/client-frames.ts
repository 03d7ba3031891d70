import addFormats from 'ajv-formats';
import type { WebSocket } from 'ws';
import { ClientFrame } from '@headrace/contract/live';
import { createAjv } from '../create-ajv.ts';

const ajv = createAjv({ strict: false });
addFormats.default(ajv);
const isClientFrame = ajv.compile<ClientFrame>(ClientFrame);

/** What one connection may say in a minute: a browser says a few words when it opens. More is not heard. */
const FRAMES_PER_MINUTE = 60;

/** Passes on what a browser says, as far as the contract knows it; all else is let be, since older ones may say more. */
export function hearFrames(socket: WebSocket, onFrame: (frame: ClientFrame) => void): void {
  let since = performance.now();
  let count = 0;
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (performance.now() - since > 60_000) [since, count] = [performance.now(), 0];
    count += 1;
    if (isBinary || count > FRAMES_PER_MINUTE) return;
    const frame = readFrame(data.toString('utf8'));
    if (frame) onFrame(frame);
  });
}

function readFrame(text: string): ClientFrame | null {
  try {
    const value: unknown = JSON.parse(text);
    return isClientFrame(value) ? value : null;
  } catch {
    return null;
  }
}
