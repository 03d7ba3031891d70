/** Node's flags for a server, as deploy/ has them: docs/decisions/0180-room-for-young-objects.md. */
export const serverFlags = ['--max-semi-space-size=64'];
