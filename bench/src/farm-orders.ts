import { setTimeout as sleep } from 'node:timers/promises';
import { commandTypes } from '@headrace/contract/command-types';
import type { Stand } from './stand.ts';
import type { BenchGateway } from './world.ts';

/** The gateway is known to be `so`. */
export async function until({ sql }: Stand, { farmId }: BenchGateway, so: string): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const { rows } = await sql.query(`select 1 from gateway_state where farm_id = $1 and ${so}`, [farmId]);
    if (rows.length > 0) return;
    await sleep(200);
  }
  throw new Error(`The gateway never was ${so}.`);
}

/** A command, and what is said with it. */
export interface Order {
  type: number;
  payload: Record<string, unknown>;
}

/** The reply's text. Throws where it isn't a 200. */
export async function post(stand: Stand, token: string, path: string, body: object): Promise<string> {
  const reply = await fetch(`${stand.url}/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: token },
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${text}`);
  return text;
}

/** To the whole farm. */
export const orderOf = ({ farmUid: farmUID }: BenchGateway, order: Order) => ({
  farmUID,
  name: 'FARM',
  mac: '-',
  serialNumber: '-',
  ...order,
});
export const send = (stand: Stand, token: string, farm: BenchGateway, order: Order) =>
  post(stand, token, '/commands/send', orderOf(farm, order));

/** The farm's set to so many of its sprinklers; to all without a number. */
export async function scheduleOf({ sql }: Stand, { farmId }: BenchGateway, units?: number): Promise<Order> {
  const { rows: sets } = await sql.query<{ uid: string }>('select uid from schedule_set where farm_id = $1', [
    farmId,
  ]);
  const { rows } = await sql.query<{ uid: string }>(
    `select uid from device where farm_id = $1 and kind = 'sprinkler' and settings->>'isSpareUnit' = 'false' order by id limit $2`,
    [farmId, units ?? 0],
  );
  return {
    type: commandTypes.SendScheduleSet,
    payload: { setUID: sets[0]?.uid, ...(units && { uids: rows.map(({ uid }) => uid) }) },
  };
}
