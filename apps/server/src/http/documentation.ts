import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { APP_VERSION } from '@headrace/contract/limits';

/** OpenAPI 3.1 from the contract: pages at /v1/docs, the document at /v1/docs/json. Register before the routes. */
export async function registerDocumentation(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Headrace',
        version: APP_VERSION,
        description:
          'Irrigation management. Sign in with POST /account/auth and send the token as Authorization.',
      },
      components: { securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'Authorization' } } },
      security: [{ token: [] }],
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/v1/docs',
    uiConfig: { docExpansion: 'list' },
  });
}
