import type { QueryClient } from '@tanstack/react-query';
import type { Api } from '@headrace/contract/api';
import type { UndoChoices } from '@headrace/contract/undo';
import { ApiError, call, errorText } from '../../api/client.ts';
import { toast } from '../../ui/toasts.ts';
import { renewDevices } from './renew.ts';

export type UndoBody = Api['POST /undo']['body'];
/** How long it is offered where it was done, ms; in the history for 30 days. */
export const UNDO_OFFERED_MS = 10_000;

export interface UndoOffer {
  /** Of a toast that it takes the place of. */
  id?: string;
  /** For who still says what was done. */
  onUndone?: ((text: string) => void) | undefined;
}

/** Says what was done, and offers to undo it. `batchId` is null where nothing was changed. */
export function offerUndo(
  queryClient: QueryClient,
  text: string,
  { batchId, ...act }: Pick<UndoBody, 'farmUID' | 'act'> & { batchId?: string | null | undefined },
  { id, onUndone }: UndoOffer = {},
): void {
  if (!batchId) {
    toast.success(text, { ...(id && { id }) });
    return;
  }
  const run = () => void undoNow(queryClient, { ...act, batchId }, onUndone);
  toast.success(text, { durationMs: UNDO_OFFERED_MS, action: { label: 'Undo', run }, ...(id && { id }) });
}

async function undoNow(
  queryClient: QueryClient,
  body: UndoBody,
  onUndone: UndoOffer['onUndone'],
): Promise<void> {
  try {
    const text = undoneText(await call('POST /undo', { body }));
    toast.success(text);
    onUndone?.(text);
    await renewDevices(queryClient);
  } catch (error) {
    const choices = choicesOf(error);
    toast.error(choices ? conflictText(choices) : errorText(error));
  }
}

/** One that can't go back by itself has its reason; all else is chosen in the history. */
function conflictText({ conflicts }: UndoChoices): string {
  const [only, ...others] = conflicts;
  if (only && others.length === 0 && !only.canPutBack) return `${only.name}: ${only.why}`;
  return `${conflicts.length} of them changed since. Undo it in the history of changes, where you choose what becomes of them.`;
}

/** What has to be chosen first, where that is why it failed. */
export function choicesOf(error: unknown): UndoChoices | null {
  return error instanceof ApiError && error.field === 'keep' && error.current
    ? (error.current as UndoChoices)
    : null;
}

export const undoneText = (
  { undone, kept }: Api['POST /undo']['reply'],
  what: 'Undone' | 'Done again' = 'Undone',
): string => (kept === 0 ? `${what}.` : `${what}: ${undone} as before, ${kept} left as they are.`);
