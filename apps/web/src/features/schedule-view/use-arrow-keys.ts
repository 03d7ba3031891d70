import { useCallback, type KeyboardEvent, type RefObject } from 'react';

/** Left and right walk the bars of a row, up and down the rows; Enter opens what has the focus, as of any button. */
export function useArrowKeys(body: RefObject<HTMLElement | null>) {
  return useCallback(
    (event: KeyboardEvent) => {
      const from = document.activeElement;
      if (!(from instanceof HTMLElement) || !body.current?.contains(from)) return;
      const next = nextOf(body.current, from, event.key);
      if (!next) return;
      event.preventDefault();
      next.focus();
      next.scrollIntoView?.({ block: 'nearest' });
    },
    [body],
  );
}

function nextOf(body: HTMLElement, from: HTMLElement, key: string): HTMLElement | null {
  const row = from.closest<HTMLElement>('[data-place]');
  if (!row) return null;
  const steps = stepsOf(row);
  switch (key) {
    case 'ArrowRight':
      return steps[steps.indexOf(from) + 1] ?? null;
    case 'ArrowLeft':
      return steps[steps.indexOf(from) - 1] ?? null;
    case 'ArrowDown':
      return nearest(body, Number(row.dataset['place']) + 1, from);
    case 'ArrowUp':
      return nearest(body, Number(row.dataset['place']) - 1, from);
    default:
      return null;
  }
}

/** The row's own button, then its bars in the order of time. */
const stepsOf = (row: HTMLElement): HTMLElement[] => [
  ...row.querySelectorAll<HTMLElement>('button[aria-expanded], button[data-bar]'),
];

/** The bar of another row that begins nearest to this one. */
function nearest(body: HTMLElement, place: number, from: HTMLElement): HTMLElement | null {
  const row = body.querySelector<HTMLElement>(`[data-place="${place}"]`);
  if (!row) return null;
  const steps = stepsOf(row);
  const at = Number(from.dataset['bar'] ?? 0);
  const away = (one: HTMLElement) => Math.abs(Number(one.dataset['bar'] ?? 0) - at);
  return steps.toSorted((one, other) => away(one) - away(other))[0] ?? null;
}
