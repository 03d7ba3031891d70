import { useEffect } from 'react';
import type { CardType } from '@headrace/contract/default-settings';
import type { FarmCard } from '@headrace/contract/farms';
import { needs } from '@headrace/contract/permissions';
import { rememberFirstCalls } from '../../api/early-replies.ts';
import { useCan } from '../../access/permissions.ts';

/** What is first asked for each kind of card. */
const firstPaths: Partial<Record<CardType, string>> = {
  SoilMoisture: '/telemetry/sites',
  Tank: '/lvl/suminfo',
  Flow: '/flow/suminfo',
  IPCStatus: '/ipc/status',
  IO: '/gateway/monitor',
};

/** The next time this dashboard is opened, its data is asked for while the app's code is still on its way. */
export function useFirstCalls({ _id }: FarmCard, chosen: readonly CardType[]): void {
  const canSite = useCan(needs.tankSite, _id);
  const paths = [
    ...(canSite ? ['/tank/site-info'] : []),
    ...chosen.flatMap((type) => firstPaths[type] ?? []),
  ];
  const urls = [`/v1/farm?uid=${_id}`, ...paths.map((path) => `/v1${path}?farmUID=${_id}`)].join('\n');
  useEffect(() => rememberFirstCalls(_id, urls.split('\n')), [_id, urls]);
}
