export type Log = {
  readonly info: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
};

const repeatMs = 10_000;

/** For thousands of devices: comings and goings are no news, and the same warning is said at most every ten seconds. */
export function quieter(log: Log, now: () => number): Log {
  const saidAt = new Map<string, number>();
  return {
    info: () => undefined,
    warn: (fields, message) => {
      if (now() - (saidAt.get(message) ?? 0) < repeatMs) return;
      saidAt.set(message, now());
      log.warn(fields, message);
    },
  };
}
