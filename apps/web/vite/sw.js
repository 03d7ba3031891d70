/* Headrace's service worker: the app opens without a connection, and push messages are shown; data is never kept here. */
const VERSION = '%VERSION%';
const PRECACHE = ['%PRECACHE%'];
const CACHE = `headrace-${VERSION}`;
const NAVIGATION_TIMEOUT_MS = 2500;

/** Files named by their content are what the page has just loaded; the others may have changed. */
const freshness = (url) => (url.startsWith('/assets/') ? 'default' : 'reload');

/** Some hundred pieces: few at once, so that the page that has just been opened keeps its turn. */
const AT_ONCE = 6;
const TRIES = 3;
const BETWEEN_TRIES_MS = 1000;

/** What an install that was cut off has kept isn't asked for again; a connection lost for a moment doesn't end it. */
async function keep(cache, url) {
  if (url.startsWith('/assets/') && (await cache.match(url))) return;
  for (let tried = 1; ; tried += 1) {
    try {
      return await cache.add(new Request(url, { cache: freshness(url) }));
    } catch (error) {
      if (tried === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, tried * BETWEEN_TRIES_MS));
    }
  }
}

async function install() {
  const cache = await caches.open(CACHE);
  const left = [...PRECACHE];
  const keepRest = async () => {
    for (let url = left.shift(); url !== undefined; url = left.shift()) await keep(cache, url);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, keepRest));
  await self.skipWaiting();
}

/**
 * What the browser can fetch by itself, where it knows such routes: a page asks for some hundred files, and each would be a turn of this
 * worker. Files without their content in their name are this build's own. What isn't kept comes from the network.
 */
const routes = [
  { condition: { urlPattern: '/v1/*' }, source: 'network' },
  { condition: { urlPattern: '/assets/*', requestMethod: 'get' }, source: 'cache' },
  ...PRECACHE.filter((path) => path !== '/' && !path.startsWith('/assets/')).map((path) => ({
    condition: { urlPattern: path, requestMethod: 'get' },
    source: { cacheName: CACHE },
  })),
];

/** A browser that knows other routes than these asks this worker, as those do that know none. */
async function addRoutes(event) {
  try {
    await event.addRoutes?.(routes);
  } catch {
    // It says so in its console.
  }
}

self.addEventListener('install', (event) => event.waitUntil(Promise.all([install(), addRoutes(event)])));

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => names.filter((name) => name.startsWith('headrace-') && name !== CACHE))
      // The build before stays one visit longer: open tabs still ask for its pieces.
      .then((old) => Promise.all(old.slice(0, -1).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

/** The network's page if it comes in time, else the one kept from the last visit. */
async function page(request) {
  const kept = await caches.open(CACHE).then((cache) => cache.match('/'));
  if (kept && !navigator.onLine) return kept;
  const control = new AbortController();
  const timer = setTimeout(() => control.abort(), NAVIGATION_TIMEOUT_MS);
  try {
    const fresh = await fetch(request, kept ? { signal: control.signal } : undefined);
    return fresh.ok || !kept ? fresh : kept;
  } catch (error) {
    if (kept) return kept;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** This build's first: of files without their content in their name the build before has others. */
async function asset(request) {
  const how = { ignoreVary: true };
  const own = await caches.open(CACHE).then((cache) => cache.match(request, how));
  return own ?? (await caches.match(request, how)) ?? fetch(request);
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (url.pathname === '/v1' || url.pathname.startsWith('/v1/')) return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (PRECACHE.includes(url.pathname) || url.pathname.startsWith('/assets/'))
    event.respondWith(asset(request));
});

/** What a push message says. Browsers insist that something is shown, even of one that can't be read. */
function messageOf(data) {
  try {
    const { title, message, link, key, topic, answer } = data.json();
    if (typeof title === 'string' && title)
      return { title, message: String(message ?? ''), link, key, topic, answer };
  } catch {
    // Not ours, or cut short.
  }
  return { title: 'Headrace', message: 'There is something new.', link: '/' };
}

const post = (path, body) =>
  fetch(`/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** What can be answered is answered there; browsers that know no such buttons open the page. */
const ANSWERS = [
  { action: 'answer', title: "I'm on it" },
  { action: 'hour', title: 'Snooze 1 h' },
];

/** A newer one of the same topic takes the place of the older, and is heard all the same. */
async function show({ title, message, link, key, topic, answer }) {
  await self.registration.showNotification(title, {
    body: message === title ? '' : message,
    icon: '/icons/icon-192.png',
    data: { link, ...(answer && { answer, title, topic }) },
    ...(topic && { tag: topic, renotify: true }),
    ...(answer && { actions: ANSWERS }),
  });
  // Nobody waits for it, and it is of no use later.
  if (key) await post('/notification/shown', { key }).catch(() => undefined);
}

self.addEventListener('push', (event) => event.waitUntil(show(messageOf(event.data))));

const subscriptionOf = (subscription) => {
  const { endpoint, expirationTime, keys } = subscription.toJSON();
  return { endpoint, expirationTime: expirationTime ?? null, p256dh: keys.p256dh, auth: keys.auth };
};

/** What the app kept at its last visit; undefined where it kept nothing. */
async function keptSubscription(cache) {
  const kept = await cache.match('/push-subscription');
  return kept?.json();
}

/** The push service has replaced the subscription: messages go to the new one from now on. Without what it was, the app mends it. */
async function moveSubscription({ oldSubscription, newSubscription }) {
  const cache = await caches.open('push-subscription');
  const kept = await keptSubscription(cache);
  const old = oldSubscription ? subscriptionOf(oldSubscription) : kept;
  if (!old || !kept) return;
  const subscription =
    newSubscription ??
    (await self.registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: kept.key,
    }));
  const now = subscriptionOf(subscription);
  await post('/notification/move-device', { ...now, before: { endpoint: old.endpoint, auth: old.auth } });
  await cache.put(
    '/push-subscription',
    Response.json({ endpoint: now.endpoint, auth: now.auth, key: kept.key }),
  );
}

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(moveSubscription(event)));

/** A page of ours, or null: nothing else is opened. */
function pathOf(link) {
  if (typeof link !== 'string' || !link.startsWith('/')) return null;
  const url = new URL(link, self.location.origin);
  return url.origin === self.location.origin ? url.pathname + url.search + url.hash : null;
}

/** An open page is asked to go there itself, so that nothing that was typed in it is lost; else one is opened. */
async function openPage(path) {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find(({ focused }) => focused) ?? pages[0];
  if (!page) return self.clients.openWindow(path ?? '/');
  // Some browsers refuse it; the page goes there all the same.
  await page.focus().catch(() => undefined);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's client takes none
  if (path !== null) page.postMessage({ type: 'open', link: path });
}

/** What became of a message's button is shown in its place: a button that did nothing must not look as if it had. */
async function answer({ answer: key, title, topic }, action) {
  let body = 'It could not be sent. Tap here to try again.';
  let link = `/a/${key}`;
  try {
    const reply = await post('/alerts/answer', { key, answer: action, from: 'push' });
    const { alert, text, errorMessage } = reply.ok || reply.status === 409 ? await reply.json() : {};
    // It got worse than the message says: its page shows how it is.
    if (errorMessage) body = errorMessage;
    else if (alert) [body, link] = [text, `/alerts?farm=${alert.farmUID}&incident=${alert.uid}`];
    else if (reply.ok) body = 'This message is too old to be answered. Tap here to see.';
  } catch {
    // Said in the text.
  }
  await self.registration.showNotification(title, {
    body,
    icon: '/icons/icon-192.png',
    data: { link },
    silent: true,
    ...(topic && { tag: topic }),
  });
}

self.addEventListener('notificationclick', (event) => {
  const { notification, action } = event;
  notification.close();
  const data = notification.data ?? {};
  event.waitUntil(data.answer && action ? answer(data, action) : openPage(pathOf(data.link)));
});
