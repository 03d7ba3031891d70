import type { LightMyRequestResponse } from 'fastify';
import { endpoints } from '@headrace/contract/api';
import { createSchemaCompilers } from '../http/schemas-at-first-use.ts';

const byKey = new Map(endpoints.map((endpoint) => [endpoint.key as string, endpoint]));
const { body: compile } = createSchemaCompilers();
const checks = new Map<string, ReturnType<typeof compile>>();

/** Throws where a good answer is not what the contract says of the endpoint. */
export function expectReply(key: string, response: LightMyRequestResponse): void {
  const endpoint = byKey.get(key);
  const isJson = String(response.headers['content-type']).startsWith('application/json');
  if (!endpoint || endpoint.sends || response.statusCode !== (endpoint.status ?? 200) || !isJson) return;
  const known = checks.get(key);
  const check = known ?? compile(endpoint.reply);
  if (!known) checks.set(key, check);
  if (check(response.json())) return;
  throw new Error(`${key} answers otherwise than its contract: ${JSON.stringify(check.errors)}`);
}
