import { createHash } from 'node:crypto';
import type { decodeAnew, getDecoding, putDecoding } from '@headrace/contract/codecs';
import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import { DECODED_ANEW_A_DAY } from '@headrace/contract/limits';
import { networkMetrics } from '@headrace/device/metrics';
import type { DeviceRow } from '../../db/schema.ts';
import { notFound, stale } from '../../http/errors.ts';
import { changeRecord } from '../devices/change-records.ts';
import type { DeviceRecords } from '../devices/device-records.ts';
import { type By, lockRecords } from '../devices/record-change.ts';
import type { CodecChoice } from './codec-choice.ts';
import type { CodecsRepo } from './codecs.repo.ts';
import type { AnewRow, StoredUplinksRepo } from './stored-uplinks.repo.ts';
import { checkMapping } from './try-codec.ts';

export interface DecodingParts {
  codecs: CodecsRepo;
  stored: StoredUplinksRepo;
  choice: CodecChoice;
  records: Pick<DeviceRecords, 'together'>;
}

/** By which codec and mapping the messages of one sensor are decoded. */
export function createDecodingService({ codecs, stored, choice, records }: DecodingParts) {
  const { chosen, nameNow } = choice;
  return {
    /** The new revision. Throws conflict where somebody has chosen otherwise since the one that the caller saw. */
    async setDecoding(device: DeviceRow, body: BodyOf<typeof putDecoding>, by: By): Promise<string> {
      if (device.kind !== 'sensor') throw notFound();
      checkMapping(body.mapping);
      const { columns, name: to } = await chosen(device.farm_id, body);
      return records.together(device.farm_id, async (trx) => {
        const [current] = await lockRecords(trx, device.farm_id, [device.id]);
        if (!current) throw notFound();
        if (body.revision !== undefined && body.revision !== revisionOf(current))
          throw stale({ revision: revisionOf(current) });
        const decoder = { columns, names: { from: await nameNow(current), to } };
        return revisionOf(await changeRecord(trx, current, { decoder, mapping: body.mapping }, by));
      });
    },

    async decodeAnew(device: DeviceRow, by: By): Promise<ReplyOf<typeof decodeAnew>> {
      if (device.kind !== 'sensor') throw notFound();
      const { total, jobId } = await stored.askAnew(device, by);
      return { total, ...(jobId !== null && { jobId }) };
    },

    async decoding(device: DeviceRow, now: Date): Promise<ReplyOf<typeof getDecoding>> {
      if (device.kind !== 'sensor') throw notFound();
      const { farm_id: farmId, id } = device;
      const codec = device.codec_id === null ? undefined : await codecs.byId(farmId, device.codec_id);
      const last = await codecs.lastUplink(farmId, id);
      const waiting = await stored.waiting(farmId, id);
      const anew = await stored.anew(farmId, id);
      const { left, moreAt } = await stored.anewRoom(farmId, now);
      const network = await codecs.network(farmId, id, linkNames);
      return {
        codecId: device.builtin_codec ?? codec?.uid ?? null,
        version: device.codec_version,
        mapping: device.mapping && [...device.mapping],
        revision: revisionOf(device),
        lastUplink: last
          ? {
              at: last.at.toISOString(),
              fPort: last.f_port,
              fCnt: Number(last.f_cnt),
              bytes: last.bytes?.toString('hex').toUpperCase() ?? null,
              decodedBy: last.codec ?? 'network server',
              data: last.object,
              warnings: last.warnings,
              problems: last.problems,
            }
          : null,
        waiting: waiting && { ...waiting, since: waiting.since.toISOString(), tookMs: last?.took_ms ?? null },
        keptSince: (await stored.keptSince(farmId, id, now))?.toISOString() ?? null,
        anew: anew ? anewOf(anew) : null,
        anewRoom: { left, limit: DECODED_ANEW_A_DAY, moreAt: moreAt?.toISOString() ?? null },
        network: network.map(({ name, value, at }) => ({ name, value, at: at.toISOString() })),
      };
    },
  };
}

const linkNames = [...networkMetrics.map(({ name }) => name), 'batteryPercent'];

/** Names one choice of codec, version and mapping. */
function revisionOf({ builtin_codec, codec_id, codec_version, mapping }: DeviceRow): string {
  const choice = JSON.stringify([builtin_codec, codec_id, codec_version, mapping]);
  return createHash('sha256').update(choice).digest('hex').slice(0, 16);
}

function anewOf({ asked_at: askedAt, finished_at: finishedAt, ...row }: AnewRow) {
  const { total, done, changed, failed, problem, job_uid: jobId } = row;
  const times = { askedAt: askedAt.toISOString(), finishedAt: finishedAt?.toISOString() ?? null };
  return { ...times, total, done, changed, failed, problem, ...(jobId !== null && { jobId }) };
}
