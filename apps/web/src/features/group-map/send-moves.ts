import type { QueryClient } from '@tanstack/react-query';
import type { MovableKind, MovedMeanwhile } from '@headrace/contract/moves';
import type { LatLng } from '@headrace/contract/schemas';
import { ApiError, call } from '../../api/client.ts';
import { knownPlace } from './group-map.queries.ts';

export interface NamedMove {
  readonly id: string;
  readonly name: string;
  readonly from: LatLng | null;
  readonly to: LatLng;
}
/** Devices of one kind that are moved together. */
export interface Batch {
  readonly kind: MovableKind;
  readonly moves: readonly NamedMove[];
}

export const kindsLabels: Record<MovableKind, string> = {
  sprinkler: 'sprinklers',
  repeater: 'repeaters',
  sensor: 'sensors',
  gateway: 'gateways',
  poi: 'points of interest',
};

/** What became of it: done, or what has to be answered first. */
export type Sent =
  | { readonly is: 'done'; readonly moved: number; readonly batchId: string | null | undefined }
  | { readonly is: 'asked'; readonly question: string }
  | { readonly is: 'conflict'; readonly devices: MovedMeanwhile['devices'] };

/** Throws what is no question. `confirmFar`: a place far away is meant. */
export async function sendMoves(farmUID: string, { kind, moves }: Batch, confirmFar = false): Promise<Sent> {
  const devices = moves.map(({ id, from, to }) => ({ id, from, to }));
  try {
    const { moved, batchId } = await call('POST /devices/move', {
      body: { farmUID, kind, devices, ...(confirmFar && { confirmFar }) },
    });
    return { is: 'done', moved, batchId };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.field === 'confirmFar') return { is: 'asked', question: error.message };
    const found = error.field === 'devices' && (error.current as MovedMeanwhile | undefined);
    if (found) return { is: 'conflict', devices: found.devices };
    throw error;
  }
}

/** From where they stand by now: an earlier move of the same device is done before it. */
export const fromKnown = (queryClient: QueryClient, farmUID: string, { kind, moves }: Batch): Batch => ({
  kind,
  moves: moves.map((move) => ({ ...move, from: knownPlace(queryClient, farmUID, move.id) })),
});
