import { useQuery } from '@tanstack/react-query';
import { commandNeeds, commandTypes } from '@headrace/contract/command-types';
import { useCan } from '../../access/permissions.ts';
import { call } from '../../api/client.ts';
import { lengthText } from './plan-labels.ts';

/** What is promised where too few answers are known, s. */
const PROMISED_S = 180;

/** How long sending something to so many sprinklers takes, as far as their gateways' pace is known; null: nothing is. */
type SendTime = (sprinklers: number) => string | null;

/** By the pace of the gateways that a set of the farm would be sent through. Who may not send anything has no use for it. */
export function useSendPace(farmUID: string, setUID: string): SendTime {
  const may = useCan(commandNeeds.SendScheduleSet, farmUID);
  const { data } = useQuery({
    queryKey: ['send-pace', farmUID, setUID],
    queryFn: ({ signal }) =>
      call('POST /commands/plan', {
        body: {
          farmUID,
          type: commandTypes.SendScheduleSet,
          name: '-',
          mac: '-',
          serialNumber: '-',
          payload: { setUID },
        },
        signal,
      }),
    enabled: may && setUID !== '',
    retry: false,
  });
  return (sprinklers) => (data ? timeText(sprinklers, data.gateways) : null);
}

/** Of several gateways nobody knows here how many sprinklers each has: the slowest had all of them at most. */
function timeText(sprinklers: number, gateways: readonly { readonly secondsEach: number }[]): string | null {
  if (sprinklers === 0 || gateways.length === 0) return null;
  const each = Math.max(...gateways.map(({ secondsEach }) => secondsEach));
  const isKnown = gateways.length === 1 && each !== PROMISED_S;
  return `${isKnown ? 'about' : 'at most'} ${lengthText(Math.max(1, Math.ceil((sprinklers * each) / 60)))}`;
}
