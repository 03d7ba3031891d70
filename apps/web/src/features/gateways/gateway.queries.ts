import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';

export const gatewayQuery = (deviceId: string) =>
  queryOptions({
    queryKey: ['gateway', deviceId],
    queryFn: ({ signal }) => call('GET /gateway', { query: { deviceId }, signal }),
    meta: { live: ['gateway'], uid: deviceId, records: ['gateway'] },
  });
