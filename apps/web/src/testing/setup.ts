import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
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
  }),
  picture: () => 'data:,',
  PICTURE_WIDTH: 1200,
}));

// The first line says what wasn't found; the page beneath it hides that.
configure({
  // The pages' code arrives in pieces, and the machine may be busy.
  asyncUtilTimeout: 15_000,
  getElementError: (message) => new Error(message?.split('\n')[0] ?? 'Not found'),
});

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

afterEach(() => {
  cleanup();
  restoreCanvas();
  signOut('asked');
  toast.clear();
  localStorage.clear();
  sessionStorage.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
