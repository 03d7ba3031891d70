/** As a `ref`, with a `tabIndex` of -1: who went by keys to something that is gone now goes on from here. */
export const takeLostFocus = (element: HTMLElement | null): void => {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
};
