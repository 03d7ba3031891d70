import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { call, errorText } from '../../api/client.ts';
import { toast } from '../../ui/toasts.ts';
import { permissionsQuery } from '../../access/permissions.ts';
import { renewFarms } from './farm-edit.queries.ts';

export const deletedFarmsQuery = queryOptions({
  queryKey: ['farms-deleted'],
  queryFn: async ({ signal }) => (await call('GET /farms/deleted', { signal })).farms,
  meta: { records: ['farm'] },
});

/** Which farms there are has changed, and which of them can be restored. */
export async function renewAllFarms(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    renewFarms(queryClient),
    queryClient.invalidateQueries({ queryKey: permissionsQuery.queryKey }),
    queryClient.invalidateQueries({ queryKey: deletedFarmsQuery.queryKey }),
  ]);
}

/** Brings a deleted farm back, and says what came of it. */
export async function restoreFarm(
  queryClient: QueryClient,
  { farmUID, name }: { farmUID: string; name: string },
): Promise<void> {
  try {
    const { away } = await call('POST /farm/restore', { body: { farmUID } });
    if (away.length === 0) toast.success(`${name} is back, with all its devices.`);
    else toast.error(`${name} is back. ${awayText(away)}`, { durationMs: null });
  } catch (error) {
    toast.error(errorText(error));
  }
  await renewAllFarms(queryClient);
}

/** More than these are counted. */
const NAMED = 5;

function awayText(away: readonly { name: string }[]): string {
  const more = away.length - NAMED;
  const names = away.slice(0, NAMED).map(({ name }) => name);
  const all = more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
  return `Not with it: ${all}, whose MAC address is in use by another device.`;
}
