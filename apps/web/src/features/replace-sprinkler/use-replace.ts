import { useState } from 'react';
import { useSendCommand } from '../commands/commands.queries.ts';
import { type CommandTarget, commandFailureText, isPerhapsSent } from '../commands/send-command.ts';

/** The unit that is to take the place. */
export interface NewUnit {
  readonly serialNumber: string;
  readonly mac: string;
}

/** Why it wasn't sent, in sentences. */
export type NotSent = readonly string[];

/** Sends Replace for a place, and keeps what became of the sending. `withSchedule`: the new unit gets the place's schedule by itself. */
export function useReplace(farmUID: string, target: CommandTarget, withSchedule: boolean) {
  const mutation = useSendCommand();
  const [sent, setSent] = useState<{ commandId: string; newSerial: string; withSchedule: boolean } | null>(
    null,
  );
  const [notSent, setNotSent] = useState<NotSent | null>(null);
  const send = (unit: NewUnit) => {
    if (mutation.isPending) return;
    setNotSent(null);
    const { serialNumber, mac } = unit;
    const payload = { serialNumber, mac, ...(withSchedule && { sendSchedule: true }) };
    const order = { command: 'Replace', farmUID, target, payload } as const;
    mutation.mutateAsync(order).then(
      ({ commandId }) => setSent({ commandId, newSerial: serialNumber, withSchedule }),
      (error: unknown) => setNotSent(failureText(error)),
    );
  };
  return { send, sent, notSent, isSending: mutation.isPending, again: () => setSent(null) };
}

/** spec 2 §8; the reason follows. Of one that may have been sent it isn't said that it couldn't be. */
function failureText(error: unknown): NotSent {
  const why = commandFailureText(error, 'Replace');
  if (isPerhapsSent(error)) return [why];
  return ["Your command couldn't be sent!", 'Please, wait some minutes and try again.', why];
}

export type Replace = ReturnType<typeof useReplace>;
