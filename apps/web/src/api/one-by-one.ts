const waiting: (() => void)[] = [];
const { port1: bell, port2: rope } = new MessageChannel();
let hasBegun = false;

bell.addEventListener('message', () => {
  const next = waiting.shift();
  hasBegun = next !== undefined;
  if (!next) return;
  next();
  askForTask();
});
bell.start();

/** A port has no origin, as windows have. */
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const askForTask = () => rope.postMessage(null);

/**
 * Lets one call begin in each task of the browser: undefined for the first, which needn't wait. A page that asks for many things at
 * once would otherwise hold up a slow phone for as long as it takes to begin them all.
 */
export function turn(): Promise<void> | undefined {
  if (hasBegun) return new Promise((resolve) => waiting.push(resolve));
  hasBegun = true;
  askForTask();
  return undefined;
}
