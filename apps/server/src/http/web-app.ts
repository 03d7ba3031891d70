import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { NOT_FOUND_TEXT } from '@headrace/contract/errors';

/** Serves the built web app. Every path that is no file and not under /v1 is a page of the app. */
export async function registerWebApp(app: FastifyInstance, folder: string): Promise<void> {
  const hasWeb = existsSync(join(folder, 'index.html'));
  if (hasWeb) {
    await app.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const isHashed = path.includes('/assets/');
        reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    if (hasWeb && request.method === 'GET' && isPage(request.url))
      return reply.header('cache-control', 'no-cache').sendFile('index.html');
    return reply.status(404).send({ errorMessage: NOT_FOUND_TEXT, code: 'notFound' });
  });
}

/** Of other programs: only scanners ask for them. No page of the app ends like this. */
const OF_OTHERS = /\.(php\d?|phtml|aspx?|jspx?|cgi|sql|bak|old|ini|ya?ml|env|log|zip|gz|tgz|rar|7z)$/;

/**
 * Everything is a page of the app, except paths of the API, of the operator and of files, hidden files (`/.env`) and files of other
 * programs, which only scanners ask for. As it is meant: `/.%65nv` is `/.env`.
 */
function isPage(url: string): boolean {
  const [path = ''] = url.split('?', 1);
  const meant = decoded(path).toLowerCase();
  return !/^\/(v1|assets|operator|wp-\w+)(\/|$)|\/\.[a-z]/.test(meant) && !OF_OTHERS.test(meant);
}

/** Some decode twice, so this does as often as it can: a name may hold a `%` of its own. */
function decoded(path: string): string {
  try {
    const once = decodeURIComponent(path);
    return once === path ? path : decoded(once);
  } catch {
    return path;
  }
}
