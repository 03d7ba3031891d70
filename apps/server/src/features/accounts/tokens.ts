import { createHash, randomBytes } from 'node:crypto';

/** Opaque: 32 random bytes. Only its SHA-256 is stored; a token of 256 random bits needs no slow hash. */
export const newToken = (): string => randomBytes(32).toString('base64url');

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
