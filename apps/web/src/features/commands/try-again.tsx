import { useState } from 'react';
import type { Command } from '@headrace/contract/commands';
import { AGAIN_WITHIN_HOURS, canGoAgain, commandName, commandNeeds } from '@headrace/contract/command-types';
import { needs } from '@headrace/contract/permissions';
import { randomHex } from '../../api/random-hex.ts';
import { useCan } from '../../access/permissions.ts';
import { useNow } from '../../ui/clock.ts';
import { useSendAgain } from './commands.queries.ts';
import { SendOnce, SentOnce } from './send-once.tsx';

const HOUR_MS = 3_600_000;

interface Props {
  command: Command;
  /** How many of its units did. */
  failed: number;
  /** Where what becomes of it is shown in this one's place; absent: a link leads to it. */
  onSent?: ((commandId: string) => void) | undefined;
}

/** Sends a command once more to those of its units that failed, for those who may send it. */
export function TryAgain({ command, failed, onSent }: Props) {
  const name = commandName(command.type);
  const may = useCan(name ? commandNeeds[name] : needs.operator, command.farmUID);
  // However often it is pressed, it is one command.
  const [requestId] = useState(() => randomHex(16));
  const again = useSendAgain(command, requestId);
  const isOld = useNow() - Date.parse(command.stateAt) > AGAIN_WITHIN_HOURS * HOUR_MS;
  if (!may || failed === 0 || isOld || !canGoAgain(command.type)) return null;
  if (again.data)
    return <SentOnce farmUID={command.farmUID} commandId={again.data.commandId} text="Sent again." />;
  const label = failed === 1 ? 'Try this one again' : `Try these ${failed} again`;
  return <SendOnce sending={again} name={name} label={label} onSent={onSent} />;
}
