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

/**
 * Everything is a page of the app, except paths of the API, of the operator and of files, and hidden files (`/.env`), which only
 * scanners ask for.
 */
function isPage(url: string): boolean {
  const [path = ''] = url.split('?', 1);
  return !/^\/(v1|assets|operator)(\/|$)|\/(\.|%2e)[a-z]/i.test(path);
}
