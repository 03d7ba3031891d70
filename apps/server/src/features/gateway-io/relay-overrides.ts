type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const relaysOf = (settings: unknown, change: (relay: Json, port: string) => Json): unknown =>
  isObject(settings)
    ? Object.fromEntries(
        Object.entries(settings).map(([port, value]) => [
          port,
          isObject(value) ? change(value, port) : value,
        ]),
      )
    : settings;

/** Settings as people enter them: since when a hand decides is what goes on at the pump. */
export const withoutOverrides = (settings: unknown): unknown =>
  relaysOf(settings, ({ overriddenAt: _at, ...relay }) => relay);

/** `settings` with what hands have decided by `now`; a relay that is bound to no tank has nothing to override. */
export function withOverridesOf(now: unknown, settings: unknown): unknown {
  const found = isObject(now) ? now : {};
  return relaysOf(settings, ({ overriddenAt: _at, ...relay }, port) => {
    const known = found[port];
    const since = isObject(known) ? known['overriddenAt'] : undefined;
    if (since === undefined) return relay;
    return { ...relay, overriddenAt: relay['binding'] ? since : null };
  });
}
