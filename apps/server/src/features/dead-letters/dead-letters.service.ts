import type { BodyOf, QueryOf, ReplyOf } from '@headrace/contract/endpoint';
import type { getDeadLetter, listDeadLetters, replayDeadLetters } from '@headrace/contract/dead-letters';
import type { FarmAccess } from '../../http/access-gate.ts';
import { notFound } from '../../http/errors.ts';
import { type DeadLetterRow, type DeadLettersRepo, KEPT_DAYS } from './dead-letters.repo.ts';
import { replay, type TakeAgain } from './replay.ts';

const DEFAULT_LIMIT = 100;

export function createDeadLettersService(repo: DeadLettersRepo, takeAgain: TakeAgain) {
  return {
    async list(
      { farmId }: FarmAccess,
      { mac, limit = DEFAULT_LIMIT }: QueryOf<typeof listDeadLetters>,
    ): Promise<ReplyOf<typeof listDeadLetters>> {
      const rows = await repo.list({ farmId, mac: mac?.toUpperCase(), limit: limit + 1 });
      const shown = rows.slice(0, limit);
      const names = await namesOf(farmId, shown);
      return {
        letters: shown.map((row) => ({
          _id: row.id,
          reason: row.reason,
          from: row.sender,
          mac: row.device,
          deviceName: names.get(row.device) ?? '',
          gatewayName: names.get(gatewayOf(row)) ?? '',
          firstAt: row.firstAt.toISOString(),
          at: row.at.toISOString(),
          bytes: row.bytes,
          count: row.count,
          kept: row.kept,
          taken: row.taken,
          held: row.isHeld,
        })),
        more: rows.length > limit,
        keptDays: KEPT_DAYS,
      };
    },

    async get(
      { farmId }: FarmAccess,
      { id }: QueryOf<typeof getDeadLetter>,
    ): Promise<ReplyOf<typeof getDeadLetter>> {
      const letter = await repo.letter(farmId, id);
      if (!letter) throw notFound();
      const message = await repo.newestMessage(farmId, id);
      const { topic, payload } = message ?? letter;
      return {
        topic,
        receivedAt: (message?.receivedAt ?? letter.firstAt).toISOString(),
        bytes: message?.bytes ?? letter.bytes,
        whole: message !== undefined,
        ...shownOf(payload),
      };
    },

    async replay(
      { farmId }: FarmAccess,
      { id }: BodyOf<typeof replayDeadLetters>,
    ): Promise<ReplyOf<typeof replayDeadLetters>> {
      if (id !== undefined && !(await repo.letter(farmId, id))) throw notFound();
      return replay(repo, takeAgain, { farmId, letterId: id });
    },
  };

  async function namesOf(farmId: number, rows: readonly DeadLetterRow[]): Promise<Map<string, string>> {
    const macs = new Set(rows.flatMap((row) => [row.device, gatewayOf(row)]).filter(Boolean));
    if (macs.size === 0) return new Map();
    const devices = await repo.names(farmId, [...macs]);
    return new Map(devices.flatMap(({ mac, name }) => (mac ? [[mac, name] as const] : [])));
  }
}
export type DeadLettersService = ReturnType<typeof createDeadLettersService>;

/** MAC of the gateway that said it; empty where a network server did. */
const gatewayOf = ({ topic }: DeadLetterRow): string => /^headrace\/v1\/([0-9A-F]+)\//.exec(topic)?.[1] ?? '';

const utf8 = new TextDecoder('utf-8', { fatal: true });

function shownOf(payload: Buffer): { encoding: 'text' | 'hex'; message: string } {
  try {
    return { encoding: 'text', message: utf8.decode(payload) };
  } catch {
    return { encoding: 'hex', message: payload.toString('hex') };
  }
}
