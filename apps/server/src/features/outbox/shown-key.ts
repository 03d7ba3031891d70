import { createHash, randomBytes } from 'node:crypto';

/** Travels in a push message: the browser that shows it says so with it. Only its hash is stored. */
export const newShownKey = (): string => randomBytes(16).toString('base64url');

export const hashShownKey = (key: string): Buffer => createHash('sha256').update(key).digest();
