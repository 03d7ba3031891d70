import { sql } from 'kysely';
import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import type { MovedMeanwhile, moveDevices } from '@headrace/contract/moves';
import { farFrom, farPlacesQuestion } from '@headrace/contract/rules/far-place';
import type { LatLng } from '@headrace/contract/schemas';
import type { Db } from '../../db/client.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { ApiFailure, invalid, notFound } from '../../http/errors.ts';
import { fieldChanges, logChanges } from '../changes/change-log.ts';
import { changedDevice } from './change-records.ts';
import type { DeviceRecords } from './device-records.ts';
import { placeIn, placesOfGateways, refuseFarPlace } from './far-places.ts';
import { type By, logged } from './record-change.ts';

type Asked = BodyOf<typeof moveDevices>;
interface Move {
  readonly row: DeviceRow;
  readonly from: LatLng | null;
  readonly to: LatLng;
}

/** Moves devices on the map, as one that can be undone. */
export function createMoves(records: DeviceRecords) {
  return {
    async move(farm: FarmRow, asked: Asked, by: By): Promise<ReplyOf<typeof moveDevices>> {
      const { kind, devices } = asked;
      for (const [at, { to }] of devices.entries()) refuseFarPlace(to, farm, `devices.${at}.to`);
      const what = { act: `move ${kind}`, title: titleOf(kind, devices.length) } as const;
      const { result, batchId } = await records.undoable(farm.id, by, what, async (trx, batched) => {
        const moves = await lockMoves(trx, farm.id, asked);
        refuseMoved(moves);
        if (!asked.confirmFar) await askOfFar(trx, farm, moves);
        const going = moves.filter(({ row, to }) => !isAt(row, to));
        await write(trx, farm.id, going, batched);
        return going.length;
      });
      return { moved: result, batchId };
    },
  };
}
export type Moves = ReturnType<typeof createMoves>;

const labels = {
  sprinkler: 'sprinkler',
  repeater: 'repeater',
  sensor: 'sensor',
  gateway: 'gateway',
  poi: 'point',
} as const;
const titleOf = (kind: Asked['kind'], n: number) => `${n} ${labels[kind]}${n === 1 ? '' : 's'} moved`;

/** Throws notFound where one of them isn't a device of this kind on the farm. */
async function lockMoves(trx: Db, farmId: number, { kind, devices }: Asked): Promise<Move[]> {
  const asked = new Map(devices.map((device) => [device.id.toLowerCase(), device]));
  if (asked.size < devices.length) throw invalid('A device is moved once at a time.', 'devices');
  const rows = await trx
    .selectFrom('device')
    .selectAll()
    .where('farm_id', '=', farmId)
    .where('kind', '=', kind)
    .where(sql<boolean>`uid = any(${[...asked.keys()]})`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  if (rows.length < asked.size)
    throw notFound(
      asked.size === 1
        ? `This ${labels[kind]} is no longer on the farm.`
        : `${asked.size - rows.length} of these ${asked.size} ${labels[kind]}s are no longer on the farm.`,
    );
  return rows.flatMap((row) => {
    const move = asked.get(row.uid);
    return move ? [{ row, from: move.from, to: move.to }] : [];
  });
}

const isAt = (row: DeviceRow, place: LatLng | null) =>
  row.lat === (place?.lat ?? null) && row.lng === (place?.lng ?? null);

/** Throws conflict with where they are, where somebody moved them since the caller looked. To move one to where it is, is no conflict. */
function refuseMoved(moves: readonly Move[]): void {
  const moved = moves.filter(({ row, from, to }) => !isAt(row, from) && !isAt(row, to));
  if (moved.length === 0) return;
  const current: MovedMeanwhile = {
    devices: moved.map(({ row }) => ({ id: row.uid, name: row.name, place: placeIn(row) })),
  };
  const who = moved.length === 1 ? moved[0]?.row.name : `${moved.length} of these devices`;
  throw new ApiFailure(
    'conflict',
    `Somebody else moved ${who} meanwhile. Please look where it stands now.`,
    'devices',
    current,
  );
}

async function askOfFar(trx: Db, farm: FarmRow, moves: readonly Move[]): Promise<void> {
  const gateways = new Map((await placesOfGateways(trx, farm.id)).map((gateway) => [gateway.id, gateway]));
  const far = moves.flatMap(({ row, to }) => {
    const from = farFrom(to, farm, gateways.get(row.gateway_id ?? 0) ?? null);
    return from === null || isAt(row, to) ? [] : [{ name: row.name, from }];
  });
  const question = farPlacesQuestion(far);
  if (question !== null) throw invalid(question, 'confirmFar');
}

async function write(trx: Db, farmId: number, moves: readonly Move[], by: By): Promise<void> {
  if (moves.length === 0) return;
  const places = moves.map(({ row, to: { lat, lng } }) => ({ id: row.id, lat, lng }));
  await sql`update device d set lat = n.lat, lng = n.lng, version = d.version + 1, updated_at = ${by.now}
    from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as n (id int, lat float8, lng float8)
    where d.farm_id = ${farmId} and d.id = n.id`.execute(trx);
  by.batch?.records.push(
    ...moves.map(({ row, to: place }) => changedDevice(row, { ...row, ...place }, place, undefined)),
  );
  await logChanges(
    trx,
    moves.map(({ row, to: place }) => logged(row, by, 'changed', fieldChanges(row, place))),
    by.now,
  );
}
