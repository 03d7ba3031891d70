/** Tells routes by their upgrade: `GET /v1/notifications` is a call of the API, and a WebSocket as well. */
export const upgradeConstraint = {
  name: 'upgrade',
  storage() {
    const handlers = new Map<unknown, never>();
    return {
      get: (value: unknown) => handlers.get(value) ?? null,
      set: (value: unknown, handler: never) => void handlers.set(value, handler),
    };
  },
  deriveConstraint: ({ headers }: { headers: { upgrade?: string | undefined } }): string =>
    headers.upgrade?.toLowerCase() ?? '',
};
