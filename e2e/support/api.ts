import type { LoginReply } from '@headrace/contract/accounts';
import type { Api, ApiKey } from '@headrace/contract/api';
import { fillPath, splitKey } from '@headrace/contract/endpoint';

/** The demo's published account. */
export const OWNER = { email: 'owner@headrace.test', password: 'headrace' };
/** One with whom it shares two farms. */
export const AGENT = { email: 'agent@headrace.test', password: 'headrace' };

export interface Client {
  get<K extends ApiKey>(key: K, query?: Api[K]['query']): Promise<Api[K]['reply']>;
  send<K extends ApiKey>(key: K, body: Api[K]['body']): Promise<Api[K]['reply']>;
}

/** The API as one account, over HTTP. */
export async function signInByApi(url: string, account = OWNER): Promise<Client> {
  // The demo's accounts have no second step.
  const { token } = await request<LoginReply>(url, 'POST /account/auth', { body: account });
  return {
    get: (key, query) => request(url, key, { token, ...(query && { query }) }),
    send: (key, body) => request(url, key, { token, body }),
  };
}

async function request<Reply>(
  url: string,
  key: string,
  { token = '', query = {}, body }: { token?: string; query?: object; body?: unknown },
): Promise<Reply> {
  const { method, path: pattern } = splitKey(key);
  const { path, query: rest } = fillPath(pattern, query);
  const pairs = Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)]);
  const parameters = new URLSearchParams(pairs);
  const response = await fetch(`${url}/v1${path}?${parameters.toString()}`, {
    method,
    headers: { Authorization: token, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${key}: ${response.status} ${await response.text()}`);
  if (response.status === 204) throw new Error(`${key}: 204`);
  return (await response.json()) as Reply;
}
