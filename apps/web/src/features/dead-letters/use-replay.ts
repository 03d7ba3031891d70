import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReplyOf } from '@headrace/contract/endpoint';
import type { replayDeadLetters } from '@headrace/contract/dead-letters';
import { letterText } from '@headrace/contract/rules/letter-labels';
import { countText } from '@headrace/contract/rules/number-text';
import { call, errorText } from '../../api/client.ts';
import { toast } from '../../ui/toasts.ts';

type Replayed = ReplyOf<typeof replayDeadLetters>;

/** Tries the kept messages of one letter again, or all of the farm, and says what became of them. */
export function useReplay(farmUID: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id?: string) => call('POST /dead-letters/replay', { body: { farmUID, ...(id && { id }) } }),
    onSuccess(reply) {
      if (reply.failed > 0) toast.error(replayText(reply));
      else toast.success(replayText(reply));
    },
    onError: (error) => toast.error(`They couldn't be tried again. ${errorText(error)}`),
    onSettled: () =>
      Promise.all(
        [
          ['dead-letters', farmUID],
          ['farm-usage', farmUID],
        ].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ),
  });
}

export function replayText({ taken, failed, left, reason }: Replayed): string {
  const parts = [
    ...(taken > 0 ? [`${messages(taken)} taken.`] : []),
    ...(failed > 0 ? [`${messages(failed)} failed again. ${letterText(reason).why}`] : []),
    ...(left > 0 ? [`${left} left: try again.`] : []),
  ];
  return parts.join(' ') || 'No message is kept that could be tried.';
}

export const messages = (count: number): string => countText(count, 'message');
