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

  function fetchPieces(names) {
    for (const href of new Set(names.flatMap((name) => pieces[name] ?? []))) {
      const link = document.createElement('link');
      if (href.endsWith('.css')) Object.assign(link, { rel: 'preload', as: 'style', crossOrigin: '', href });
      else Object.assign(link, { rel: 'modulepreload', href });
      document.head.append(link);
    }
  }

  /** As `session.ts` keeps it. */
  function readSession() {
    try {
      const kept = JSON.parse(stored('headrace.session') ?? 'null');
      return kept?.logged && kept.token && !kept.mustChangePassword ? kept : null;
    } catch {
      return null;
    }
  }

  const session = readSession();
  if (!session) return fetchPieces(['/', '/login'].includes(path) ? ['out'] : []);
  fetchPieces(['in', path]);

  const farm = new URLSearchParams(location.search).get('farm') ?? stored('headrace.farm');
  const isFarm = /^[0-9a-f]{24}$/i.test(farm ?? '');
  const calls = {
    '/': ['/v1/farms-summary'],
    '/dashboard': isFarm ? [`/v1/lvl/suminfo?farmUID=${farm}`, `/v1/farm?uid=${farm}`] : [],
  };
  const headers = { Authorization: session.token, DeviceUID: stored('headrace.device') ?? '' };
  globalThis.headraceEarly = new Map(
    ['/v1/permissions-list', '/v1/farms-card', '/v1/settings', ...(calls[path] ?? [])].map((url) => {
      const reply = fetch(url, { headers });
      reply.catch(() => undefined);
      return [url, { token: session.token, at: performance.now(), reply }];
    }),
  );
})();
