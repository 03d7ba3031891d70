/** Until it is so: what simulated units say comes by radio, which takes its time. Undefined, and what throws, is asked again. */
export async function until<T>(read: () => Promise<T | undefined>, withinMs: number): Promise<T> {
  let reason: unknown;
  for (const end = Date.now() + withinMs; Date.now() < end; await new Promise((go) => setTimeout(go, 500))) {
    const found = await read().catch((error: unknown) => void (reason = error));
    if (found !== undefined && found !== null) return found;
  }
  throw new Error(`not within ${withinMs} ms: ${String(reason)}`);
}
