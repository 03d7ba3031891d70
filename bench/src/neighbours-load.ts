import { Agent, request } from 'node:http';
import { once } from 'node:events';

/** What one account asks for without a pause, from an address of its own. */
export interface Greed {
  url: string;
  token: string;
  from: string;
  /** As many at once as there are calls here. */
  calls: readonly { path: string; body?: object }[];
}

/** How often it was answered, by status, and how long an answer took, ms. */
export interface Greedy {
  answers: Record<string, number>;
  meanMs: number;
}

const state = { isOver: false };
process.on('message', (message: Greed | 'end') => {
  if (message === 'end') state.isOver = true;
  else void ask(message).then((result) => process.send?.(result, () => process.exit(0)));
});

async function ask({ url, token, from, calls }: Greed): Promise<Greedy> {
  const agent = new Agent({ keepAlive: true, localAddress: from });
  const answers: Record<string, number> = {};
  let [count, ms] = [0, 0];
  await Promise.all(
    calls.map(async ({ path, body }) => {
      while (!state.isOver) {
        const start = performance.now();
        const status = await answer(`${url}/v1${path}`, token, agent, body).catch(() => 'broken');
        answers[status] = (answers[status] ?? 0) + 1;
        ms += performance.now() - start;
        count += 1;
      }
    }),
  );
  agent.destroy();
  return { answers, meanMs: ms / count };
}

async function answer(url: string, token: string, agent: Agent, body?: object): Promise<string> {
  const headers = { authorization: token, ...(body && { 'content-type': 'application/json' }) };
  const call = request(url, { method: body ? 'POST' : 'GET', headers, agent });
  call.end(body && JSON.stringify(body));
  const [reply] = await once(call, 'response');
  reply.resume();
  await once(reply, 'end');
  return String(reply.statusCode);
}
