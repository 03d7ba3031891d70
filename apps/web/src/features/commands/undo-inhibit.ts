import type { Api } from '@headrace/contract/api';
import { commandTypes, type CommandName } from '@headrace/contract/command-types';
import { call, errorText } from '../../api/client.ts';
import { numberText } from '../../ui/format.ts';
import { toast } from '../../ui/toasts.ts';

/** As long as other things are offered to be undone where they were done, ms. */
const OFFERED_MS = 10_000;

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
  try {
    toast.success(undoneText(await call('POST /commands/undo', { body })));
  } catch (error) {
    toast.error(errorText(error));
  }
}

const units = (count: number) => `${numberText(count)} ${count === 1 ? 'sprinkler' : 'sprinklers'}`;

/** What taking it back came to: it may have gone out to some already, and others are inhibited otherwise. */
export function undoneText({
  cancelled,
  uninhibited,
  asBefore,
  stayInhibited,
}: Api['POST /commands/undo']['reply']): string {
  const others = asBefore - stayInhibited;
  const parts = [
    cancelled > 0 && `it was not sent to ${units(cancelled)}`,
    uninhibited > 0 && `Uninhibit was sent to ${units(uninhibited)}`,
    stayInhibited > 0 &&
      `${units(stayInhibited)} ${stayInhibited === 1 ? 'stays' : 'stay'} inhibited, by another Inhibit, a paddock hold or ${stayInhibited === 1 ? 'its' : 'their'} own word`,
    others > 0 && `${units(others)} ${others === 1 ? 'was' : 'were'} not inhibited by it any more: as before`,
  ].filter((part) => part !== false);
  return `Undone: ${parts.join('; ')}.`;
}
