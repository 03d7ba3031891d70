const POLL_MS = 20;

/** Waits for something that tells nobody when it has come, and gives up after `withinMs`. */
export async function until(isDone: () => boolean, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!isDone() && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
