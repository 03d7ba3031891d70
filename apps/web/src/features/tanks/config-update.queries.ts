import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Api } from '@headrace/contract/api';
import type { TankInfo } from '@headrace/contract/tanks';
import { ApiError, call, errorText } from '../../api/client.ts';
import { tankInfoQuery, tanksQuery } from './tanks.queries.ts';

type Sent = Api['POST /sensor/configupdate']['body'];

/** The text that the specification gives, then what the server says. */
export function configFailureText(error: unknown, verb: 'create' | 'delete'): string {
  const status = error instanceof ApiError ? error.status : 0;
  const code = status === 0 ? '' : ` (${status})`;
  return `Failed to ${verb} sensor config update.${code} ${errorText(error)}`;
}

/** Sets something on the tank's unit by radio: it waits until the unit says that it has done it. */
export function useConfigUpdate() {
  const renew = useRenewTank();
  return useMutation({
    mutationFn: ({ tank, ...sent }: Pick<Sent, 'configType' | 'config'> & { tank: TankInfo }) =>
      call('POST /sensor/configupdate', {
        body: { deviceId: tank._id, sensorType: tank.type as Sent['sensorType'], ...sent },
      }),
    onSuccess: (_sent, { tank }) => renew(tank),
  });
}

/** Takes back what the unit has not taken yet. */
export function useWithdraw(tank: TankInfo) {
  const renew = useRenewTank();
  return useMutation({
    mutationFn: (configId: string) =>
      call('DELETE /sensor/configupdate', { query: { deviceId: tank._id, configId } }),
    // Also when it was too late: what is shown was then old.
    onSettled: () => renew(tank),
  });
}

function useRenewTank() {
  const queryClient = useQueryClient();
  return ({ _id, farmUID }: TankInfo) =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: tankInfoQuery(_id).queryKey }),
      queryClient.invalidateQueries({ queryKey: tanksQuery(farmUID).queryKey }),
    ]);
}
