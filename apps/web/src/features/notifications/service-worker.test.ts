import { afterEach, describe, expect, test, vi } from 'vitest';

interface Page {
  focused: boolean;
  focus: () => Promise<void>;
  postMessage: (message: unknown) => void;
}

const subscription = (name: string) => ({
  toJSON: () => ({ endpoint: `https://push.example/${name}`, keys: { p256dh: 'P', auth: name } }),
});

/** What the worker asks the server, by path. */
function serve() {
  const asked: [string, unknown][] = [];
  vi.stubGlobal('fetch', async (url: string, { body }: { body: string }) => {
    asked.push([url, JSON.parse(body)]);
    return Response.json({});
  });
  return asked;
}

/** A browser's kept things, with what the app left there. */
function keep(value?: object) {
  const kept = new Map<string, Response>(value && [['/push-subscription', Response.json(value)]]);
  const cache = {
    match: async (path: string) => kept.get(path)?.clone(),
    put: async (path: string, response: Response) => void kept.set(path, response),
  };
  vi.stubGlobal('caches', { open: async () => cache });
  return async () => kept.get('/push-subscription')?.clone().json();
}

/** By folder: Vite makes a URL of this module hang on the address that a page had last. */
const WORKER = `${import.meta.dirname}/../../../vite/sw.js`;
let started = 0;
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** The service worker's own file, run anew, in a browser that is as little as it needs. */
async function startWorker(pages: Page[] = []) {
  const listeners = new Map<string, (event: object) => void>();
  const showNotification = vi.fn<(title: string, options: object) => Promise<void>>(async () => undefined);
  const openWindow = vi.fn<(url: string) => Promise<void>>(async () => undefined);
  const skipWaiting = vi.fn<() => Promise<void>>(async () => undefined);
  const self = {
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
    location: { origin: 'https://farm.example' },
    skipWaiting,
    registration: { showNotification, pushManager: { subscribe: async () => subscription('new') } },
    clients: { matchAll: async () => pages, openWindow },
  };
  vi.stubGlobal('self', self);
  started += 1;
  await import(`${WORKER}?${started}`);
  const dispatch = async (type: string, event: object) => {
    let work: Promise<unknown> = Promise.resolve();
    listeners.get(type)?.({ ...event, waitUntil: (promise: Promise<unknown>) => (work = promise) });
    await work;
  };
  const pushed = (data: unknown) => dispatch('push', { data });
  const clicked = async (link: unknown) => {
    const close = vi.fn<() => void>();
    await dispatch('notificationclick', { notification: { data: { link }, close } });
    expect(close).toHaveBeenCalledTimes(1);
  };
  return { dispatch, pushed, clicked, showNotification, openWindow, skipWaiting };
}
const json = (value: unknown) => ({ json: () => value });
const page = (focused: boolean) => ({
  focused,
  focus: vi.fn<() => Promise<void>>(async () => undefined),
  postMessage: vi.fn<(message: unknown) => void>(),
});

describe('a first visit', () => {
  /** A connection that is lost this many times while the app is kept for later. */
  async function visit(losses: number) {
    vi.useFakeTimers();
    const add = vi.fn<() => Promise<void>>();
    for (let lost = 0; lost < losses; lost += 1) add.mockRejectedValueOnce(new TypeError('Failed to fetch'));
    vi.stubGlobal('Request', vi.fn());
    vi.stubGlobal('caches', { open: async () => ({ add }) });
    const worker = await startWorker();
    const installed = Promise.allSettled([worker.dispatch('install', {})]);
    await vi.runAllTimersAsync();
    const [{ status }] = await installed;
    return { status, skipped: worker.skipWaiting.mock.calls.length };
  }

  test.each([0, 1, 2])('keeps the app though the connection is lost %i times meanwhile', async (losses) => {
    expect(await visit(losses)).toEqual({ status: 'fulfilled', skipped: 1 });
  });

  test('without a connection leaves it to the next visit', async () => {
    expect(await visit(3)).toEqual({ status: 'rejected', skipped: 0 });
  });
});

describe('files of the app', () => {
  /** A browser that keeps one of the build before and one of this build, and what it is answered with. */
  async function asked(path: string, builds: Record<string, string[]>) {
    const keptBy = (name: string) => ({
      match: async (request: { url: string }) =>
        builds[name]?.some((kept) => request.url.endsWith(kept)) ? `kept by ${name}` : undefined,
    });
    vi.stubGlobal('caches', {
      open: async (name: string) => keptBy(name.includes('%VERSION%') ? 'this' : name),
      match: async (request: { url: string }) =>
        (await keptBy('before').match(request)) ?? (await keptBy('this').match(request)),
    });
    vi.stubGlobal('fetch', async () => 'the network');
    const worker = await startWorker();
    let answer: Promise<unknown> | undefined;
    const request = { url: `https://farm.example${path}`, method: 'GET', mode: 'no-cors' };
    await worker.dispatch('fetch', {
      request,
      respondWith: (reply: Promise<unknown>) => (answer = reply),
    });
    return answer;
  }

  test.each([
    ['/assets/a-1.js', { before: [], this: ['/assets/a-1.js'] }, 'kept by this'],
    ['/assets/a-0.js', { before: ['/assets/a-0.js'], this: [] }, 'kept by before'],
    ['/assets/a-1.js', { before: ['/assets/a-1.js'], this: ['/assets/a-1.js'] }, 'kept by this'],
    ['/assets/a-2.js', { before: [], this: [] }, 'the network'],
  ])('%s is answered by what is kept of this build, then of the one before', async (path, builds, answer) => {
    expect(await asked(path, builds)).toBe(answer);
  });

  test.each([
    ['that takes routes', async () => undefined],
    ['that knows others', () => Promise.reject(new TypeError('source'))],
    [
      'that is asked too late',
      () => {
        throw new TypeError('state');
      },
    ],
  ])('are fetched by a browser %s without this worker, and kept all the same', async (_what, addRoutes) => {
    const add = vi.fn<() => Promise<void>>();
    vi.stubGlobal('Request', vi.fn());
    vi.stubGlobal('caches', { open: async () => ({ add }) });
    const worker = await startWorker();
    const taken = vi.fn<(routes: object[]) => Promise<void>>(addRoutes);
    await worker.dispatch('install', { addRoutes: taken });
    expect(worker.skipWaiting).toHaveBeenCalledTimes(1);
    expect(taken.mock.calls[0]?.[0]).toEqual(
      expect.arrayContaining([
        { condition: { urlPattern: '/v1/*' }, source: 'network' },
        { condition: { urlPattern: '/assets/*', requestMethod: 'get' }, source: 'cache' },
      ]),
    );
  });
});

describe('a push message', () => {
  test('is shown with its title, text and link', async () => {
    const worker = await startWorker();
    await worker.pushed(json({ title: 'Tank low', message: 'Hill tank is at 12 %.', link: '/tanks' }));
    expect(worker.showNotification).toHaveBeenCalledExactlyOnceWith('Tank low', {
      body: 'Hill tank is at 12 %.',
      icon: '/icons/icon-192.png',
      data: { link: '/tanks' },
    });
  });

  test('that came with a key is said to be shown', async () => {
    const asked = serve();
    const worker = await startWorker();
    await worker.pushed(json({ title: 'Tank low', message: '', link: '/', key: 'k1', topic: 't1' }));
    expect(worker.showNotification.mock.calls[0]?.[1]).toMatchObject({ tag: 't1', renotify: true });
    expect(asked).toEqual([['/v1/notification/shown', { key: 'k1' }]]);
  });

  test.each([
    null,
    json(null),
    json({ message: 'x' }),
    {
      json: () => {
        throw new SyntaxError('cut');
      },
    },
  ])('that cannot be read is shown all the same, since browsers insist', async (data) => {
    const worker = await startWorker();
    await worker.pushed(data);
    expect(worker.showNotification.mock.calls[0]?.[0]).toBe('Headrace');
  });
});

describe('a message that can be answered', () => {
  const answered = json({
    title: 'Tank low',
    message: 'Trough 4',
    link: '/alerts',
    topic: 't1',
    answer: 'K1',
  });
  async function press(action: string, reply: () => Response | Promise<Response>) {
    const asked: [string, unknown][] = [];
    vi.stubGlobal('fetch', async (url: string, { body }: { body: string }) => {
      asked.push([url, JSON.parse(body)]);
      return reply();
    });
    const worker = await startWorker();
    await worker.pushed(answered);
    const [, shown] = worker.showNotification.mock.calls[0] ?? [];
    const { data, actions } = shown as { data: object; actions: { action: string }[] };
    expect(actions.map((one) => one.action)).toEqual(['answer', 'hour']);
    worker.showNotification.mockClear();
    await worker.dispatch('notificationclick', { action, notification: { data, close: () => undefined } });
    return { asked, worker, said: worker.showNotification.mock.calls[0] };
  }
  const alert = { uid: 'i1', farmUID: 'f1' };

  test('says what became of it, in its place', async () => {
    const text = 'You are on it (06:12).';
    const { asked, said } = await press('answer', () => Response.json({ alert, text }));
    expect(asked).toEqual([['/v1/alerts/answer', { key: 'K1', answer: 'answer', from: 'push' }]]);
    expect(said?.[0]).toBe('Tank low');
    expect(said?.[1]).toMatchObject({
      body: text,
      tag: 't1',
      silent: true,
      data: { link: '/alerts?farm=f1&incident=i1' },
    });
  });

  test.each([
    ['where there is no network', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['where the server is away', () => new Response('', { status: 503 })],
  ])('%s says that it was not sent, and leads to its page', async (_where, reply) => {
    const { said } = await press('hour', reply);
    expect(said?.[1]).toMatchObject({
      body: 'It could not be sent. Tap here to try again.',
      data: { link: '/a/K1' },
    });
  });

  test('that got worse since says so, and leads to its page', async () => {
    const errorMessage = 'It got worse meanwhile and is urgent now. Please see how it is before you answer.';
    const { said } = await press('answer', () => Response.json({ errorMessage }, { status: 409 }));
    expect(said?.[1]).toMatchObject({ body: errorMessage, data: { link: '/a/K1' } });
  });

  test('after a day says that it is too old', async () => {
    const { said } = await press('answer', () => Response.json({ alert: null, text: '' }));
    expect(said?.[1]).toMatchObject({ body: 'This message is too old to be answered. Tap here to see.' });
  });

  test('but not by a button opens its page', async () => {
    const { worker, asked } = await press('', () => Response.json({}));
    expect([worker.openWindow.mock.calls.flat(), asked]).toEqual([['/alerts'], []]);
  });
});

describe('a chosen push message', () => {
  test('asks the page in front to go there', async () => {
    const [behind, front] = [page(false), page(true)];
    const worker = await startWorker([behind, front]);
    await worker.clicked('/tanks?p=0042');
    expect(front.focus).toHaveBeenCalled();
    expect(front.postMessage).toHaveBeenCalledWith({ type: 'open', link: '/tanks?p=0042' });
    expect(behind.postMessage).not.toHaveBeenCalled();
    expect(worker.openWindow).not.toHaveBeenCalled();
  });

  test('opens a page where there is none, of ours alone', async () => {
    const worker = await startWorker();
    for (const link of ['/tanks', 'https://elsewhere.example/', '//elsewhere.example/x', '', undefined])
      await worker.clicked(link);
    expect(worker.openWindow.mock.calls.flat()).toEqual(['/tanks', '/', '/', '/', '/']);
  });
});

describe('a subscription that the push service replaces', () => {
  test('is replaced at the server, by the secrets of the one before', async () => {
    const asked = serve();
    const kept = keep({ endpoint: 'https://push.example/old', auth: 'old', key: 'BFAo' });
    const worker = await startWorker();
    await worker.dispatch('pushsubscriptionchange', { oldSubscription: null, newSubscription: null });
    const now = { endpoint: 'https://push.example/new', expirationTime: null, p256dh: 'P', auth: 'new' };
    expect(asked).toEqual([
      [
        '/v1/notification/move-device',
        { ...now, before: { endpoint: 'https://push.example/old', auth: 'old' } },
      ],
    ]);
    expect(await kept()).toEqual({ endpoint: 'https://push.example/new', auth: 'new', key: 'BFAo' });
  });

  test('is left to the app where nothing is known of it', async () => {
    const asked = serve();
    keep();
    const worker = await startWorker();
    await worker.dispatch('pushsubscriptionchange', { oldSubscription: null, newSubscription: null });
    expect(asked).toEqual([]);
  });
});
