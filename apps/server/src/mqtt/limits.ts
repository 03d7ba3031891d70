/** Sizes the protocol agreement sets (docs: "at most 256 KiB a message"), and those that keep one process upright. */
export const MAX_PAYLOAD_BYTES = 256 * 1024;
/** How much of a message too large is kept for its dead letter. */
export const OVERSIZE_HEAD_BYTES = 4 * 1024;
/** Above this a device's connection is closed rather than its message skimmed. */
export const MAX_SKIM_BYTES = 32 * 1024 * 1024;
/** CONNECT comes from strangers: room for a will and long names, no more. */
export const MAX_CONNECT_BYTES = 16 * 1024;
/** SUBSCRIBE and other control packets. */
export const MAX_CONTROL_BYTES = 64 * 1024;

export interface Amount {
  messages: number;
  bytes: number;
}
export const MAX_HELD: Amount = { messages: 20_000, bytes: 64 * 1024 * 1024 };
export const MAX_HELD_PER_CLIENT: Amount = { messages: 2_000, bytes: 8 * 1024 * 1024 };

/**
 * Connections that have not signed in yet. `perKey` is for one address: that many gateways of a region may connect at the same moment
 * through one carrier's address, and each signs in within one round trip.
 */
export const MAX_SILENT = { perKey: 1_000, all: 3_000 };
/** Sign-ins of one address that are looked up at the same time; the others wait, and after thirty wrong ones aren't looked up. */
export const SIGN_INS_AT_ONCE = 4;
/** Connections with one integration key: network servers have one or two. The oldest goes. */
export const MAX_SESSIONS_PER_KEY = 20;
