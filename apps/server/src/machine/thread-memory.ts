import { setFlagsFromString } from 'node:v8';

/**
 * Lets each thread have the room for young objects that its own limits say. The server is started with more of it for its first thread
 * (`--max-semi-space-size`), and V8 puts a flag above what a thread is given: one that should do with 8 MB filled 192 before it collected
 * anything. The first thread keeps what it has, since V8 asks only when it makes a heap.
 */
export const leaveThreadsTheirLimits = (): void => setFlagsFromString('--max-semi-space-size=0');
