import { ANSWERS_KEPT, type AnswerSeen, type Pace, paceOf } from '@headrace/contract/rules/radio-pace';
import type { SqlClient } from '../../db/sql-client.ts';
import type { CommandKey, GatewayKey } from './answers.ts';
import { groupBy } from '../../group-by.ts';
import { noteRadioDays } from './radio-days.ts';

/** A unit's answer: done, failed. */
export interface EndedUnit extends CommandKey, GatewayKey {
  readonly deviceId: number;
  readonly at: Date;
  readonly isDone: boolean;
  /** How often the radio asked it; null: it is not said. */
  readonly attempts: number | null;
}

const readText = `select answers from gateway_pace where farm_id = $1 and gateway_id = $2`;

/** How fast a gateway's units have answered last. */
export async function readPace(client: SqlClient, { farmId, gatewayId }: GatewayKey): Promise<Pace> {
  return paceOf(await answersOf(client, readText, [farmId, gatewayId]));
}

async function answersOf(client: SqlClient, text: string, values: unknown[]): Promise<AnswerSeen[]> {
  const { rows } = await client.query<{ answers: [number, number][] }>({ text, values });
  return (rows[0]?.answers ?? []).map(([at, waiting]) => ({ at, waiting }));
}

const waitingText = `select count(*)::int as n from command_unit
  where farm_id = $1 and gateway_id = $2 and state in ('sent', 'accepted') and cmd_id is not null and device_id <> gateway_id`;

const writeText = `insert into gateway_pace (farm_id, gateway_id, answers) values ($1, $2, $3)
  on conflict (farm_id, gateway_id) do update set answers = excluded.answers`;

/** Keeps when units answered, in the transaction that takes the answers in; what a gateway answers for itself is no radio work. */
export async function noteAnswers(client: SqlClient, ended: readonly EndedUnit[]): Promise<void> {
  const byUnits = ended.filter(({ deviceId, gatewayId }) => deviceId !== gatewayId);
  for (const units of groupBy(byUnits, ({ gatewayId }) => gatewayId)) {
    const key = [units[0]?.farmId ?? 0, units[0]?.gatewayId ?? 0];
    const { rows } = await client.query<{ n: number }>({
      name: 'units-waiting',
      text: waitingText,
      values: key,
    });
    const stillOut = rows[0]?.n ?? 0;
    const known = await answersOf(client, `${readText} for update`, key);
    const seen = units
      .map(({ at }) => at.getTime())
      .toSorted((a, b) => a - b)
      .map((at, index) => ({ at, waiting: stillOut + units.length - 1 - index }));
    await noteRadioDays(client, { farmId: Number(key[0]), gatewayId: Number(key[1]) }, units, [
      ...known.slice(-1),
      ...seen,
    ]);
    const kept = [...known, ...seen].slice(-ANSWERS_KEPT - 1).map(({ at, waiting }) => [at, waiting]);
    await client.query({ name: 'gateway-pace', text: writeText, values: [...key, JSON.stringify(kept)] });
  }
}
