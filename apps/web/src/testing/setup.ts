import { cleanup } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { signOut } from '../api/session.ts';
import { toast } from '../ui/toasts.ts';
import { FakeSocket } from './fake-socket.ts';

beforeEach(() => {
  FakeSocket.all = [];
  FakeSocket.opensItself = true;
  vi.stubGlobal('WebSocket', FakeSocket);
  // The page would reload when its data is late; a test waits for it instead.
  sessionStorage.setItem('headrace.reloaded', '1');
  vi.stubGlobal('scrollTo', () => undefined);
});

afterEach(() => {
  cleanup();
  signOut('asked');
  toast.clear();
  localStorage.clear();
  sessionStorage.clear();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
