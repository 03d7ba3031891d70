import { timed } from './numbers.ts';
import { record } from './report.ts';
import { serverOf, type Stand } from './stand.ts';

/** How long others may wait for the thread that serves everybody, ms; its clock ticks each ten. */
const STALL_MS = 50 + 10;

interface Act {
  readonly what: string;
  /** Most that it is to take, ms. */
  readonly most: number;
  /** Something of the same size by the bare driver, ms. */
  readonly bare?: number;
}

/** Does it, and tells how long it took and how long it kept everybody else waiting at most. */
export async function tellAct<T>(stand: Stand, { what, most, bare }: Act, act: () => Promise<T>): Promise<T> {
  await serverOf(stand);
  const done: T[] = [];
  const ms = await timed(async () => done.push(await act()));
  const { stallMs } = await serverOf(stand);
  record({
    what,
    value: `${ms.toFixed(0)} ms`,
    ...(bare !== undefined && { ratio: (ms / bare).toFixed(1) }),
    target: { text: `under ${most.toLocaleString('en-NZ')} ms`, met: ms < most },
  });
  record({
    what: 'the longest that the server’s thread stood still',
    value: `${stallMs.toFixed(0)} ms`,
    target: { text: `under ${STALL_MS} ms`, met: stallMs < STALL_MS },
  });
  return done[0] as T;
}

/** Rows of devices that the bare driver stores, and reads again, ms: what the server’s acts are held against. */
export async function bareDevices({ sql }: Stand, farmId: number, count: number) {
  const client = await sql.connect();
  try {
    await client.query('begin');
    const stored = await timed(() =>
      client.query(
        `insert into device (farm_id, uid, kind, name, serial_number, mac, lat, lng, settings)
          select $1::int, lpad(to_hex($1::int * 100000 + n), 24, 'b'), 'sprinkler', n::text, 'BARE' || n,
            'B0' || lpad(upper(to_hex($1::int * 100000 + n)), 14, '0'), -43.7, 171.9, '{"farmId": "01:01", "channel": 1}'
          from generate_series(1, $2::int) n`,
        [farmId, count],
      ),
    );
    const read = await timed(() => client.query('select * from device where farm_id = $1', [farmId]));
    return { stored, read };
  } finally {
    await client.query('rollback');
    client.release();
  }
}

/** Calls as somebody who is signed in. Throws where one is refused. */
export const caller =
  ({ url }: Stand, token: string) =>
  async <T>(method: 'POST' | 'PUT', path: string, body: object): Promise<T> => {
    const reply = await fetch(`${url}/v1${path}`, {
      method,
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as T;
  };
