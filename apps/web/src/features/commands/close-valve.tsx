import { useMutation, useQuery } from '@tanstack/react-query';
import { commandNeeds } from '@headrace/contract/command-types';
import type { CommandUnit } from '@headrace/contract/commands';
import { isUnderWay } from '@headrace/contract/rules/under-way';
import { useCan } from '../../access/permissions.ts';
import { useNow } from '../../ui/clock.ts';
import { commandQuery, useSendCommand } from './commands.queries.ts';
import { SendOnce, SentOnce } from './send-once.tsx';

interface Props {
  farmUID: string;
  units: readonly CommandUnit[];
}

/** Closes the valve that a command opened, unless it is known to be closed by now; once more where that failed. */
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
  const hasFailed = useHasFailed(farmUID, closing.data?.commandId);
  const isOpen = unit?.valve && unit.valve.closedAt === null && Date.parse(unit.valve.closesBy) > now;
  const canClose = may && isOpen && unit.serialNumber !== '' && others.length === 0;
  return (
    <>
      {closing.data && (
        <SentOnce
          farmUID={farmUID}
          commandId={closing.data.commandId}
          text={hasFailed ? 'The Valve Off failed, or got no answer in time.' : 'Sent.'}
        />
      )}
      {canClose && (!closing.data || hasFailed) && (
        <SendOnce sending={closing} name="ValveOff" label="Valve Off" />
      )}
    </>
  );
}

/** Whether a Valve Off came to an end without having been carried out. */
function useHasFailed(farmUID: string, commandId: string | undefined): boolean {
  const query = commandQuery(farmUID, commandId ?? '');
  const { data } = useQuery({ ...query, enabled: commandId !== undefined });
  return data !== undefined && !isUnderWay(data.command) && data.command.state !== 'done';
}
