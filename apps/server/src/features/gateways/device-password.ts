import { createHash, randomBytes } from 'node:crypto';
import { brokerHash } from '../device-connections/broker-hash.ts';

/** 256 random bits: nothing to guess, so no slow hash is needed for it. */
export const newPassword = () => randomBytes(32).toString('base64url');
/** As we check it ourselves, and as an outside broker does. */
export const hashesOf = (password: string) => ({
  keyHash: createHash('sha256').update(password).digest(),
  brokerHash: brokerHash(password),
});
