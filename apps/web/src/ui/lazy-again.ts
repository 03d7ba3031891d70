import { type ComponentType, lazy } from 'react';

/** Like `lazy`, but what could not be loaded is `instead` for now, and is asked for again when it is drawn the next time. */
export function lazyAgain<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead: ComponentType<Props>,
): { readonly current: ComponentType<Props> } {
  const begin = () =>
    lazy(async () => {
      try {
        return { default: await load() };
      } catch (error) {
        removeStyles(error);
        latest.current = begin();
        return { default: instead };
      }
    }) as unknown as ComponentType<Props>;
  const latest = { current: begin() };
  return latest;
}

/** The link of a style sheet that didn't come: as long as the page has it, the next try takes it for loaded. */
function removeStyles(error: unknown): void {
  const [, href] = /preload css for (.+)/i.exec(String(error)) ?? [];
  for (const link of document.querySelectorAll('link')) if (link.href === href) link.remove();
}
