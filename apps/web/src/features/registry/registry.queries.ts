import { queryOptions } from '@tanstack/react-query';
import type { Api } from '@headrace/contract/api';
import { SERIAL_NUMBER_MAX } from '@headrace/contract/rules/device-form';
import { call } from '../../api/client.ts';

export type Registered = Api['GET /mac-test']['reply'];

/** What a whole serial number belongs to. A longer text is none: it isn't asked about. */
export const registeredQuery = (serialNumber: string) =>
  queryOptions({
    queryKey: ['registered', serialNumber],
    queryFn: ({ signal }): Promise<Registered> =>
      serialNumber.length > SERIAL_NUMBER_MAX
        ? Promise.resolve({ serialNumber, mac: '', kind: '', found: false })
        : call('GET /mac-test', { query: { serialNumber }, signal }),
  });
