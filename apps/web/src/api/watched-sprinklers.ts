let pages = 0;
const listeners = new Set<() => void>();
const tell = () => listeners.forEach((listener) => listener());

/** Whether a page is open that shows how sprinklers are: the server then tells how each is. */
export const areSprinklersWatched = (): boolean => pages > 0;

/** Such a page is there. Returns how to say that it is left. */
export function watchSprinklers(): () => void {
  pages += 1;
  tell();
  return () => {
    pages -= 1;
    tell();
  };
}

/** Calls back when it may have changed. Returns how to stop. */
export function onSprinklersWatched(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
