import type { ApiKey } from '@headrace/contract/api';
import { fillPath, splitKey } from '@headrace/contract/endpoint';
import { createApp } from './app.ts';
import { closedApp } from './closed-app.ts';
import { connectDatabase } from './db/client.ts';
import { createSandbox } from './features/codecs/sandbox/sandbox.ts';
import type { RestoredCall, RestoredServer } from './features/operator/backup/drill/ask-services.ts';

/** The services over a restored database. They listen nowhere, run no jobs, reach no devices and send nothing. */
export async function openRestoredServer(url: string, now: () => Date): Promise<RestoredServer> {
  const database = connectDatabase(url);
  const trySandbox = createSandbox({ threads: 1 });
  const app = await createApp(closedApp(database, trySandbox, now));
  return {
    db: database.db,
    async call(key: ApiKey, { query = {}, body, token }: RestoredCall) {
      const { method, path: pattern } = splitKey(key);
      const { path, query: rest } = fillPath(pattern, query);
      const reply = await app.http.inject({
        method,
        url: `/v1${path}`,
        query: rest as Record<string, string>,
        headers: { deviceuid: 'backup-drill', ...(token && { authorization: token }) },
        ...(body && { payload: body }),
      });
      if (reply.statusCode !== 200)
        throw new Error(
          `${key} was answered with ${reply.statusCode} after the restore: ${reply.body.slice(0, 200)}`,
        );
      return reply.json();
    },
    async close() {
      await app.close();
      await trySandbox.close();
      await database.close();
    },
  };
}
