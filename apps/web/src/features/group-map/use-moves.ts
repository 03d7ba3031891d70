import { useMemo, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { movableKinds, moveNeed, type MovableKind } from '@headrace/contract/moves';
import type { Move, Moving } from '../../map/moving.ts';
import { mayOn, permissionsQuery } from '../../access/permissions.ts';
import type { GroupDevice } from './group-markers.ts';
import { type Batch, kindsLabels } from './send-moves.ts';
import { type SendMoves, useSendMoves } from './use-send-moves.ts';

type Find = (id: string) => GroupDevice | null;

export interface Moves extends Pick<SendMoves, 'pending' | 'question' | 'answer'> {
  /** `now`: what is being moved. null: nothing may be moved here. */
  readonly move: { readonly now: Moving | null; readonly onStart: (id?: string) => void } | null;
  readonly mayMove: (device: GroupDevice) => boolean;
}

const kindOf = (device: GroupDevice): MovableKind => (device.kind === 'ipc' ? 'sprinkler' : device.kind);
const nameOf = (device: GroupDevice) => (device.kind === 'ipc' ? device.unit.name : device.name);

/** Moves devices on the map, for whoever may edit their kind. */
export function useMoves(farmUID: string, find: Find): Moves {
  const { data: permissions = [] } = useQuery(permissionsQuery);
  const kinds = useMemo(
    () => new Set(movableKinds.filter((kind) => mayOn(permissions, farmUID, moveNeed(kind)))),
    [permissions, farmUID],
  );
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const { send, ...sending } = useSendMoves(farmUID);
  const now: Moving | null = chosen && {
    chosen,
    onChoose: (ids) => setChosen(ofOneKind(ids, find)),
    onMove: (moves) => {
      const batch = batchOf(moves, find);
      if (batch) send(batch);
    },
    onDone: () => setChosen(null),
    whyNot: ({ id }) => {
      const device = find(id);
      const isBarred = device && !kinds.has(kindOf(device));
      return isBarred ? `You may not move ${kindsLabels[kindOf(device)]} on this farm.` : null;
    },
  };
  const onStart = (id?: string) => setChosen(new Set(id === undefined ? [] : [id]));
  return {
    ...sending,
    move: kinds.size === 0 ? null : { now, onStart },
    mayMove: (device) => kinds.has(kindOf(device)),
  };
}

/** Those of the kind that was chosen last: others need another right. */
function ofOneKind(ids: ReadonlySet<string>, find: Find): ReadonlySet<string> {
  const devices = [...ids].flatMap((id) => {
    const device = find(id);
    return device ? [{ id, kind: kindOf(device) }] : [];
  });
  const last = devices.at(-1)?.kind;
  return new Set(devices.filter(({ kind }) => kind === last).map(({ id }) => id));
}

function batchOf(moves: readonly Move[], find: Find): Batch | null {
  const found = moves.flatMap(({ id, to }) => {
    const device = find(id);
    return device ? [{ device, move: { id, name: nameOf(device), from: null, to } }] : [];
  });
  const [first] = found;
  return first ? { kind: kindOf(first.device), moves: found.map(({ move }) => move) } : null;
}
