import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { endpoints } from '@headrace/contract/api';
import type { Endpoint } from '@headrace/contract/endpoint';
import { compileAtFirstUse, createSchemaCompilers } from './schemas-at-first-use.ts';

const schema = {
  body: { type: 'object', required: ['howMany'], properties: { howMany: { type: 'integer' } } },
  response: { 200: { type: 'object', properties: { howMany: { type: 'integer' } } } },
} as const;

/** An app with one route that gives its body back, and which schemas were compiled. */
function appWithOneRoute() {
  const app = fastify();
  const compiled: string[] = [];
  const real = createSchemaCompilers();
  compileAtFirstUse(app, {
    body: (some) => (compiled.push('body'), real.body(some)),
    query: (some) => (compiled.push('query'), real.query(some)),
    reply: (some) => (compiled.push('reply'), real.reply(some)),
  });
  app.post('/', { schema }, async ({ body }) => body);
  return { app, compiled };
}
const post = (payload: object) => ({ method: 'POST', url: '/', payload }) as const;

describe('schemas', () => {
  it('are compiled when they are needed for the first time, once', async () => {
    const { app, compiled } = appWithOneRoute();
    await app.ready();
    expect(compiled).toEqual([]);
    for (const howMany of [1, 2])
      expect((await app.inject(post({ howMany, secret: 'x' }))).json()).toEqual({ howMany });
    expect(compiled).toEqual(['body', 'reply']);
  });

  it('say what is wrong with each call, and nothing of the one before', async () => {
    const { app } = appWithOneRoute();
    expect((await app.inject(post({}))).json()).toMatchObject({
      message: "body must have required property 'howMany'",
    });
    expect((await app.inject(post({ howMany: 'many' }))).json()).toMatchObject({
      message: 'body/howMany must be integer',
    });
    expect((await app.inject(post({ howMany: 3 }))).statusCode).toBe(200);
  });

  it('of all endpoints can be compiled, which no start would tell any more', () => {
    const compilers = createSchemaCompilers();
    const all: readonly Endpoint[] = Object.values(endpoints);
    expect(all.length).toBeGreaterThan(100);
    for (const { key, body, query, reply } of all) {
      if (body) expect(() => compilers.body(body), key).not.toThrow();
      if (query) expect(() => compilers.query(query), key).not.toThrow();
      expect(() => compilers.reply(reply), key).not.toThrow();
    }
  });
});
