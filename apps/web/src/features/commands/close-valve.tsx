import { useMutation } from '@tanstack/react-query';
import { commandNeeds } from '@headrace/contract/command-types';
import type { CommandUnit } from '@headrace/contract/commands';
import { useCan } from '../../access/permissions.ts';
import { useNow } from '../../ui/clock.ts';
import { useSendCommand } from './commands.queries.ts';
import { SendOnce, SentOnce } from './send-once.tsx';

interface Props {
  farmUID: string;
  units: readonly CommandUnit[];
}

/** Closes the valve that a command opened, unless it is known to be closed by now. */
export function CloseValve({ farmUID, units: [unit, ...others] }: Props) {
  const now = useNow();
  const may = useCan(commandNeeds.ValveOff, farmUID);
  const { mutateAsync: send } = useSendCommand();
  const closing = useMutation({
    mutationFn: () => {
      // Its serial number names it.
      const target = { name: unit?.name ?? '', mac: '-', serialNumber: unit?.serialNumber ?? '' };
      return send({ command: 'ValveOff', farmUID, target });
    },
  });
  if (closing.data) return <SentOnce farmUID={farmUID} commandId={closing.data.commandId} text="Sent." />;
  const isOpen = unit?.valve && unit.valve.closedAt === null && Date.parse(unit.valve.closesBy) > now;
  if (!may || !isOpen || unit.serialNumber === '' || others.length > 0) return null;
  return <SendOnce sending={closing} name="ValveOff" label="Valve Off" />;
}
