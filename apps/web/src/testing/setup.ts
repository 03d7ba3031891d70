import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest';
import { signOut } from '../api/session.ts';
import { restoreCanvas } from '../map/fake-canvas.ts';
import { toast } from '../ui/toasts.ts';
import { FakeSocket } from './fake-socket.ts';
import { SeesAll } from './in-sight.ts';

// The files of a worker share their modules (it halves the suite's time), so what is replaced is so for all of them.
// The land is a file beside the app; how it is read is tested in map/.
vi.mock('../map/basemap-data.ts', async (original) => ({ ...(await original()), basemapsFor: () => [] }));
// The drawing library needs a real canvas; what it is asked to draw is tested in charts/.
vi.mock('../charts/engine.ts', () => ({
  draw: () => ({
    setOption: () => undefined,
    resize: () => undefined,
    dispose: () => undefined,
    getZr: () => ({ flush: () => undefined }),
    // Categories lie a pixel apart.
    convertFromPixel: (_axis: object, px: number) => px,
  }),
  picture: () => 'data:,',
  PICTURE_WIDTH: 1200,
}));

// The tests' window has no size: nothing lies at a point.
document.elementsFromPoint = () => [];

/** How much of a page's text a failed test shows. */
const SHOWN_CHARS = 200;

/** The first line says what wasn't found, and the whole page beneath it hides that. How the page begins says whether it was there at all. */
function notFound(message: string | null): Error {
  const [found = 'Not found'] = message?.split('\n') ?? [];
  // Whoever waits is given what was given before.
  return new Error(
    found.includes(PAGE) ? found : found + PAGE + document.body.textContent?.slice(0, SHOWN_CHARS),
  );
}
const PAGE = ' The page begins: ';

configure({
  // The pages' code arrives in pieces, and the machine may be busy.
  asyncUtilTimeout: 15_000,
  getElementError: notFound,
});

/** React draws the second part of that name once more each time, and the first stays when its page is left: it only says so here. */
const SAME_KEY = 'Encountered two children with the same key';
let sameKeys: unknown[] = [];
const tell = console.error;
console.error = (...words: unknown[]) => {
  if (String(words[0]).startsWith(SAME_KEY)) sameKeys.push(words[1]);
  tell(...words);
};

beforeEach(() => {
  FakeSocket.all = [];
  FakeSocket.opensItself = true;
  FakeSocket.answers = true;
  vi.stubGlobal('WebSocket', FakeSocket);
  // The page would reload when its data is late; a test waits for it instead.
  sessionStorage.setItem('headrace.reloaded', '1');
  // The tests' window has no size: what asks is told that it is in sight.
  vi.stubGlobal('IntersectionObserver', SeesAll);
  vi.stubGlobal('scrollTo', () => undefined);
});

// The worker's next file has the same modules: one whose code was still on its way when a file ended could stay broken for all of them.
afterAll(() => vi.dynamicImportSettled());

afterEach(() => {
  cleanup();
  restoreCanvas();
  signOut('asked');
  toast.clear();
  localStorage.clear();
  sessionStorage.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  const found = sameKeys;
  sameKeys = [];
  expect(found, SAME_KEY).toEqual([]);
});
