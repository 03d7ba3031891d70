import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { LightMyRequestResponse } from 'fastify';
import WebSocket from 'ws';
import type { Farm } from '@headrace/contract/farms';
import type { ServerFrame } from '@headrace/contract/live';
import type { AccountRow } from '../../../db/schema.ts';
import { farmEntry } from '../../../testing/farm-entry.ts';
import type { TestServer } from '../../../testing/test-server.ts';

export const { boundary } = farmEntry;

/** What the form sends for a farm in Canterbury. */
export const entry = {
  ...farmEntry,
  name: 'Home farm',
  address: { ...farmEntry.address, city: 'Hinds', country: 'New Zealand' },
};

type Entry = Record<string, unknown>;

/** The farm calls of one person; each gives the reply as it came. */
/** The same land at another place: its pin and its boundary. */
export const landAt = (lat: number, lng: number) => {
  const [first] = boundary;
  return {
    lat,
    lng,
    boundary: boundary.map((corner) => ({
      lat: lat + corner.lat - (first?.lat ?? 0),
      lng: lng + corner.lng - (first?.lng ?? 0),
    })),
  };
};

export async function farmCalls(server: TestServer, account: AccountRow) {
  const headers = await server.signIn(account);
  const call = (key: string, options: { query?: Record<string, string>; body?: object } = {}) =>
    server.call(key, { headers, ...options });
  return {
    call,
    create: (change: Entry = {}) => call('POST /farm', { body: { ...entry, ...change } }),
    change: (id: string, change: Entry = {}) => call('PUT /farm', { body: { ...entry, id, ...change } }),
    remove: (farmId: string) => call('DELETE /farm', { query: { farmId } }),
    farm: async (uid: string) => (await call('GET /farm', { query: { uid } })).json<Farm>(),
    changes: async (farmUID: string, query: Record<string, string> = {}) =>
      (await call('GET /changes', { query: { farmUID, ...query } })).json<{
        changes: {
          _id: string;
          by: string;
          kind: string;
          name: string;
          what: string;
          fields: { field: string; from: unknown; to: unknown }[];
          parts?: number;
        }[];
        more: boolean;
      }>(),
  };
}

/** Opens pages of accounts: what each hears after the frames that every page begins with. */
export async function listenLive(server: TestServer) {
  await server.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.http.server.address() as AddressInfo;
  return async (account: AccountRow) => {
    const token = (await server.signIn(account))['authorization'] ?? '';
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/live`, token);
    const heard: ServerFrame[] = [];
    await new Promise<void>((opened) => {
      let isOpen = false;
      socket.on('message', (data: Buffer) => {
        const frame = JSON.parse(data.toString()) as ServerFrame;
        if (isOpen) heard.push(frame);
        if (frame.type !== 'notifications') return;
        isOpen = true;
        opened();
      });
    });
    return {
      heard,
      /** The data of the next frame of this type. */
      async next(type: ServerFrame['type']): Promise<unknown> {
        for (;;) {
          const frame = heard.shift();
          if (frame?.type === type) return frame.data;
          if (!frame) await once(socket, 'message');
        }
      },
      close: () => socket.terminate(),
    };
  };
}

/** Status and sentence of a refusal, and the field that it names. */
export function refusal(reply: LightMyRequestResponse) {
  const { errorMessage, field } = reply.json<{ errorMessage: string; field?: string }>();
  return { status: reply.statusCode, errorMessage, ...(field !== undefined && { field }) };
}
