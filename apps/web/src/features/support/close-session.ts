import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, errorText } from '../../api/client.ts';
import { toast } from '../../ui/toasts.ts';
import { renewSupport } from './support.queries.ts';

/** Ends the session on a farm. */
export function useCloseSession() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (farmUID: string) => call('DELETE /support/session', { query: { farmUID } }),
    onSuccess: () => {
      toast.success('Support session closed.');
      return renewSupport(queryClient);
    },
    onError: (error) => toast.error(errorText(error)),
  });
}
