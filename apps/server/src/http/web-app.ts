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

/** Of other programs: only scanners ask for them. No page of the app ends like this, but for names that people gave. */
const OF_OTHERS = /\.(php\d?|phtml|aspx?|jspx?|cgi|sql|bak|old|ini|ya?ml|env|log|zip|gz|tgz|rar|7z)$/;
/** Pages of what people or makers named as they like: a group may be called "Shed.log" or ".north". */
const OF_NAMES = /^\/(group-status|barcode)\/[^/]+$/;
/** The longest path of the app has a group's name in it. */
const PATH_CHARS_MAX = 2048;

/**
 * Everything is a page of the app, except paths of the API, of the operator and of files, hidden files (`/.env`) and files of other
 * programs, which only scanners ask for. As it is meant: `/.%65nv` is `/.env`.
 */
function isPage(url: string): boolean {
  const [path = ''] = url.split('?', 1);
  if (path.length > PATH_CHARS_MAX) return false;
  if (OF_NAMES.test(path)) return true;
  const meant = meantBy(path)?.toLowerCase();
  if (meant === undefined) return false;
  return !/^\/(v1|assets|operator|wp-\w+)(\/|$)|\/\.[a-z]/.test(meant) && !OF_OTHERS.test(meant);
}

/** Some servers decode twice, so this does too. Undefined: it is still encoded then, as nothing of the app is. */
function meantBy(path: string): string | undefined {
  const meant = decoded(decoded(path));
  return decoded(meant) === meant ? meant : undefined;
}

/** A name may hold a `%` of its own. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
