import { useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { distanceKm } from '@headrace/contract/rules/distance';
import type { MovedMeanwhile } from '@headrace/contract/moves';
import type { LatLng } from '@headrace/contract/schemas';
import { errorText } from '../../api/client.ts';
import type { Conflict } from '../../forms/merge.ts';
import { distanceText } from '../../map/moving.ts';
import { toast } from '../../ui/toasts.ts';
import { offerUndo } from '../changes/undo.ts';
import { patchPlaces, renewGroups } from './group-map.queries.ts';
import { type Batch, fromKnown, kindsLabels, type NamedMove, sendMoves } from './send-moves.ts';

/** Places by id, of those that two people moved. */
export type Places = Record<string, LatLng | null>;
/** What was asked: as it is to be; null: as it was. */
export type Answer = Places | 'sure' | null;
type Question =
  | { readonly is: 'far'; readonly text: string }
  | { readonly is: 'conflict'; readonly conflict: Conflict<Places>; readonly batch: Batch };

const NONE: ReadonlyMap<string, LatLng> = new Map();

export interface SendMoves {
  /** Where devices are shown meanwhile: what was moved and isn't saved yet. */
  readonly pending: ReadonlyMap<string, LatLng>;
  readonly question: Question | null;
  readonly answer: (given: Answer) => void;
  readonly send: (batch: Batch) => void;
}

/** Saves moves one after the other, in the order they were made, with what has to be asked and the way back. */
export function useSendMoves(farmUID: string): SendMoves {
  const queryClient = useQueryClient();
  const [pending, setPending] = useState(NONE);
  const [open, setOpen] = useState<{ question: Question; resolve: (given: Answer) => void } | null>(null);
  const queue = useRef<Promise<void>>(Promise.resolve());

  const ask = (question: Question) =>
    new Promise<Answer>((resolve) => {
      setOpen({ question, resolve });
    });
  const deliver = async (batch: Batch, isSure: boolean): Promise<void> => {
    const sent = await sendMoves(farmUID, batch, isSure);
    if (sent.is === 'asked') {
      const given = await ask({ is: 'far', text: sent.question });
      return given === 'sure' ? deliver(batch, true) : undefined;
    }
    if (sent.is === 'conflict') {
      const conflict = conflictOf(batch, sent.devices);
      const given = await ask({ is: 'conflict', conflict, batch });
      const still = given && given !== 'sure' ? stillWanted(batch, given, conflict.theirs) : null;
      return still && still.moves.length > 0 ? deliver(still, isSure) : undefined;
    }
    patchPlaces(queryClient, farmUID, new Map(batch.moves.map(({ id, to }) => [id, to])));
    const act = { farmUID, batchId: sent.batchId, act: `move ${batch.kind}` } as const;
    offerUndo(queryClient, movedText(batch), act, { id: 'moved' });
  };
  const sendNow = async (batch: Batch) => {
    try {
      await deliver(fromKnown(queryClient, farmUID, batch), false);
    } catch (error) {
      toast.error(`${whoOf(batch)} could not be moved: ${errorText(error)}`);
    }
    // Moved again meanwhile, it is held by that.
    setPending(
      (before) =>
        new Map([...before].filter(([id, at]) => !batch.moves.some((one) => one.id === id && one.to === at))),
    );
    void renewGroups(queryClient, farmUID);
  };
  return {
    pending,
    question: open?.question ?? null,
    answer: (given) => {
      setOpen(null);
      open?.resolve(given);
    },
    send: (batch) => {
      setPending((before) => new Map([...before, ...batch.moves.map(({ id, to }) => [id, to] as const)]));
      queue.current = queue.current.then(() => sendNow(batch));
    },
  };
}

function conflictOf({ moves }: Batch, devices: MovedMeanwhile['devices']): Conflict<Places> {
  const theirs = Object.fromEntries(devices.map(({ id, place }) => [id, place]));
  const mine = moves.filter(({ id }) => id in theirs);
  return {
    base: Object.fromEntries(mine.map(({ id, from }) => [id, from])),
    mine: Object.fromEntries(mine.map(({ id, to }) => [id, to])),
    theirs,
    // Places are compared, not versions.
    version: 0,
  };
}

/** What is still to be moved, from where it stands by now, once whose place is kept was chosen. */
function stillWanted({ kind, moves }: Batch, chosen: Places, theirs: Places): Batch {
  const still = moves.flatMap((move): NamedMove[] => {
    if (!(move.id in theirs)) return [move];
    const at = chosen[move.id];
    const isMine = at?.lat === move.to.lat && at.lng === move.to.lng;
    return isMine ? [{ ...move, from: theirs[move.id] ?? null }] : [];
  });
  return { kind, moves: still };
}

const whoOf = ({ kind, moves }: Batch): string =>
  moves.length === 1 ? (moves[0]?.name ?? '') : `${moves.length} ${kindsLabels[kind]}`;

function movedText(batch: Batch): string {
  const [only, ...others] = batch.moves;
  if (!only?.from || others.length > 0) return `${whoOf(batch)} moved.`;
  return `${only.name} moved ${distanceText(distanceKm(only.from, only.to))}.`;
}
