import { randomHex } from './random-hex.ts';

/** Of this open page: the server knows by it which live connection a call's page has. */
export const pageId = randomHex(16);
