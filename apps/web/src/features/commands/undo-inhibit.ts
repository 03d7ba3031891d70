import type { Api } from '@headrace/contract/api';
import { commandTypes, type CommandName } from '@headrace/contract/command-types';
import { call, errorText } from '../../api/client.ts';
import { toast } from '../../ui/toasts.ts';

/** As long as other things are offered to be undone where they were done, ms. */
export const OFFERED_MS = 10_000;

export const canBeUndone = (command: CommandName): boolean =>
  command === 'Inhibit' || command === 'InhibitGroup';

/** Says that an Inhibit was sent, and offers to take it back. What becomes of it is told beside that. */
export function offerUndoInhibit(
  text: string,
  { command, farmUID, commandId }: { command: CommandName; farmUID: string; commandId: string },
): void {
  const run = () => void undo({ farmUID, commandId, type: commandTypes[command] });
  toast.success(text, { id: `undo-${commandId}`, durationMs: OFFERED_MS, action: { label: 'Undo', run } });
}

async function undo(body: Api['POST /commands/undo']['body']): Promise<void> {
  // Many pages offer this, and few people need it. Without it the rest is told all the same: an undo that worked is never told as failed.
  const texts = import('./undone-text.ts').catch(() => null);
  try {
    const reply = await call('POST /commands/undo', { body });
    toast.success((await texts)?.undoneText(reply) ?? 'Undone.');
  } catch (error) {
    toast.error(errorText(error));
  }
}
