/*
 * Asks for the pieces and the data of the page that is being opened, while the code that will want them is still on its
 * way: on a phone that is a second. A file of its own, because the page allows no inline script.
 */
(() => {
  const pieces = JSON.parse('%PIECES%');
  const stored = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const path = location.pathname.replace(/\/+$/, '') || '/';

  /** A few at a time: each takes a moment, and the page is still being read. */
  const AT_ONCE = 6;

  function fetchPieces(names) {
    addLinks([...new Set(names.flatMap((name) => pieces[name] ?? []))]);
  }
  function addLinks(hrefs) {
    for (const href of hrefs.splice(0, AT_ONCE)) {
      const link = document.createElement('link');
      if (href.endsWith('.css')) Object.assign(link, { rel: 'preload', as: 'style', crossOrigin: '', href });
      else Object.assign(link, { rel: 'modulepreload', href });
      document.head.append(link);
    }
    if (hrefs.length > 0) setTimeout(addLinks, 0, hrefs);
  }

  function read(key) {
    try {
      return JSON.parse(stored(key) ?? 'null');
    } catch {
      return null;
    }
  }

  /** As `session.ts` keeps it. */
  function readSession() {
    const kept = read('headrace.session');
    return kept?.logged && kept.token && !kept.mustChangePassword ? kept : null;
  }

  /** What the dashboard asked for the last time, unless it was another farm's. */
  function dashboardCalls() {
    const last = read('headrace.first-calls');
    const farm = new URLSearchParams(location.search).get('farm') ?? last?.farmUID;
    return farm && farm === last?.farmUID ? last.urls.filter((url) => url.startsWith('/v1/')) : [];
  }

  const session = readSession();
  if (!session) return fetchPieces(['/', '/login'].includes(path) ? ['out'] : []);

  const calls = path === '/' ? ['/v1/farms-summary'] : path === '/dashboard' ? dashboardCalls() : [];
  const headers = { Authorization: session.token, DeviceUID: stored('headrace.device') ?? '' };
  globalThis.headraceEarly = new Map(
    ['/v1/permissions-list', '/v1/farms-card', '/v1/settings', ...calls].map((url) => {
      const reply = fetch(url, { headers });
      reply.catch(() => undefined);
      return [url, { token: session.token, at: performance.now(), reply }];
    }),
  );
  fetchPieces(['in', path]);
  // So that the page needn't wait for it; where the file doesn't come, it waits.
  new Worker('/intl.js').addEventListener('error', (event) => event.preventDefault());
})();
