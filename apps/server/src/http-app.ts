import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { AppOptions } from './app-options.ts';
import { createFilesMade } from './db/files-made.ts';
import { createOnce } from './db/once.ts';
import type { Feature } from './feature.ts';
import type { AccessGate } from './http/access-gate.ts';
import { createHttpApp } from './http/create-http-app.ts';
import { registerDocumentation } from './http/documentation.ts';
import { type Readiness, registerHealth } from './http/health.ts';
import { createMount } from './http/mount.ts';
import { createOperatorGuard } from './http/operator.ts';
import { registerWebApp } from './http/web-app.ts';
import type { LiveHub } from './live/live-hub.ts';
import { registerLive } from './live/live-route.ts';

export interface HttpParts {
  readonly features: readonly Feature[];
  readonly access: AccessGate;
  readonly hub: LiveHub;
  readonly metrics: Registry;
}

/** All that is answered by HTTP: the features' endpoints and pages, live connections, health, and the web app. */
export async function openHttp(options: AppOptions, parts: HttpParts): Promise<FastifyInstance> {
  const { features, access, hub, metrics } = parts;
  const http = await createHttpApp({
    log: options.log,
    trustedProxies: options.trustedProxies,
    tileOrigins: originsOf(options.installation.tileUrl),
    operatorToken: options.operatorToken,
    isSecure: options.publicUrl.startsWith('https:'),
    ...(options.connectionLimits && { connectionLimits: options.connectionLimits }),
    ...(options.requestsPerMinute && { requestsPerMinute: options.requestsPerMinute }),
  });
  await registerDocumentation(http);
  const { isAway } = options.database;
  await registerLive(http, hub, isAway);
  const operators = createOperatorGuard(http, options.operatorToken);
  const mount = createMount(
    http,
    access,
    options.now,
    operators,
    isAway,
    createOnce(options.db),
    createFilesMade(options.db),
  );
  for (const { routes } of features) routes?.(mount);
  for (const { pages } of features) pages?.(http, operators);
  registerHealth(http, { readiness: () => readiness(options), metrics, operators });
  await registerWebApp(http, options.webFolder);
  return http;
}

/** A warning is told before it bites. */
const isReady = (state: string) => state === 'ok' || state.startsWith('warning: ');

async function readiness(options: AppOptions): Promise<Readiness> {
  const database = (await options.database.check()) ?? 'ok';
  const checks = { database, ...options.deviceReadiness() };
  return { ready: Object.values(checks).every(isReady), checks };
}

function originsOf(tileUrl: string): string[] {
  if (!tileUrl) return [];
  const { protocol, host } = new URL(tileUrl.replace(/\{s\}/g, 'a'));
  return [`${protocol}//${tileUrl.includes('{s}') ? host.replace(/^a\./, '*.') : host}`];
}
