import { useMemo } from 'react';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type PlannedRow, withChecked } from '@headrace/contract/rules/files/sprinkler-rows';
import { call } from '../../../api/client.ts';

/** After the last change, ms: the server is asked about all rows at once. */
const PAUSE_MS = 500;

/** Rows without a fault of their own, with what the server knows of them. */
export function useRowCheck(farmUID: string, planned: readonly PlannedRow[]) {
  const [settled] = useDebouncedValue(planned, PAUSE_MS);
  const asked = useMemo(() => settled.filter(({ faults }) => faults.length === 0), [settled]);
  const units = useMemo(
    () => asked.map(({ entry: { serialNumber, macAddress } }) => ({ serialNumber, macAddress })),
    [asked],
  );
  const query = useQuery({
    queryKey: ['bulk-check', farmUID, units],
    queryFn: ({ signal }) => call('POST /ipc/bulk-check', { body: { farmUID, units }, signal }),
    enabled: units.length > 0,
    gcTime: 0,
    retry: false,
    staleTime: Infinity,
  });
  const checked = query.data?.units;
  const rows = useMemo(() => {
    const found = new Map(asked.map((row, index) => [row, checked?.[index]]));
    return planned.map((row) => {
      const known = found.get(row);
      return known ? withChecked(row, known) : row;
    });
  }, [planned, asked, checked]);
  return {
    rows,
    isChecking: settled !== planned || query.isFetching,
    error: query.error,
    recheck: () => void query.refetch(),
  };
}
