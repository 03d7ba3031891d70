import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { toastSpot, type Obstacle, type Spot } from './toast-spot.ts';

const PRESSED =
  'button, input, select, textarea, summary, [role="button"], [role="tab"], .mantine-Button-root';
/** What a dialog says of what is sent, or of how far it is: who just pressed its button reads on there. */
const READ = '[role="region"]';
const WEIGHT = { pressed: 100, read: 10, link: 1 } as const;
const EDGE = 12;
/** After the page changed: it changes often while it is drawn. */
const PAUSE_MS = 100;

/** Keeps the messages off what can be pressed, also when the page under them changes. null: where the style sheet has them. */
export function useToastSpot(host: RefObject<HTMLElement | null>, isAny: boolean): Spot | null {
  const [spot, setSpot] = useState<Spot | null>(null);
  const first = useRef<number>(null);
  if (!isAny && spot) setSpot(null);
  useLayoutEffect(() => {
    const element = host.current;
    if (!element || !isAny) return undefined;
    const look = () => {
      // While it is pointed at, somebody is about to press its cross.
      if (element.matches(':hover')) return;
      first.current ??= element.getBoundingClientRect().top;
      setSpot((now) => better(element, first.current ?? 0, now));
    };
    look();
    return onPageChange(look);
  }, [host, isAny]);
  return spot;
}

function better(element: HTMLElement, top: number, now: Spot | null): Spot {
  const { width, height } = element.getBoundingClientRect();
  const room = { width: document.documentElement.clientWidth, height: window.innerHeight, top, edge: EDGE };
  const next = toastSpot({ width, height }, room, obstaclesFor(element), now ?? { top, right: EDGE });
  return now && next.top === now.top && next.right === now.right ? now : next;
}

/** What can be pressed now and is in sight; while a dialog is open, only what is in it, and what is read there. */
function obstaclesFor(host: HTMLElement): Obstacle[] {
  const dialog = [...document.querySelectorAll('[aria-modal="true"]')].at(-1);
  const found = (dialog ?? document).querySelectorAll(`${PRESSED}, a[href]${dialog ? `, ${READ}` : ''}`);
  return [...found].flatMap((element) => {
    if (host.contains(element)) return [];
    const { left, top, right, bottom } = element.getBoundingClientRect();
    if (right <= left || bottom <= 0 || top >= window.innerHeight) return [];
    return [{ left, top, right, bottom, weight: weightOf(element) }];
  });
}

function weightOf(element: Element): number {
  if (element.matches(PRESSED)) return WEIGHT.pressed;
  return element.matches(READ) ? WEIGHT.read : WEIGHT.link;
}

/** Calls soon after something was drawn, scrolled or turned; gives what ends it. */
function onPageChange(look: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      look();
    }, PAUSE_MS);
  };
  const observer = new MutationObserver(soon);
  observer.observe(document.body, { childList: true, subtree: true });
  addEventListener('resize', soon);
  addEventListener('scroll', soon, { passive: true, capture: true });
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    removeEventListener('resize', soon);
    removeEventListener('scroll', soon, { capture: true });
  };
}
