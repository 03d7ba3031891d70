import { useQuery } from '@tanstack/react-query';
import type { MapUnit } from '@headrace/contract/map-units';
import { can } from '@headrace/contract/permissions';
import { useCan } from '../../access/permissions.ts';
import { farmSetsQuery } from '../../device-records/choices.queries.ts';
import { sprinklerInfoQuery } from './sprinkler-info.queries.ts';

/** Why a new battery can't be recorded here; null: it can. */
export function useBatteryWhy(farmUID: string, unit: MapUnit): string | null {
  const may = useCan(
    { allOf: [can('irrigationDevices', 'Edit'), can('irrigationDevices', 'Read')] },
    farmUID,
  );
  if (!may) return 'You may not record this on this farm.';
  return unit.outOfService ? `${unit.name} is out of service.` : null;
}

/**
 * What sends the unit the schedule that is wanted of it, else its part of the set that the farm waters by; or why that can't be.
 * A unit that was sent another set than the farm's keeps to that one.
 */
export function useSchedulePayload(farmUID: string, unit: MapUnit, isWanted = true) {
  const mayRead = useCan({ anyOf: [can('schedules', 'Read')] }, farmUID);
  const { data: info } = useQuery({ ...sprinklerInfoQuery(unit.id, farmUID), enabled: isWanted });
  const { data: sets } = useQuery({ ...farmSetsQuery(farmUID), enabled: mayRead && isWanted });
  const isStopped = unit.isInhibited || (info?.stopWanted ?? null) !== null;
  const current = sets?.find(({ selected }) => selected);
  const setUID = info?.wanted?.setId ?? current?.id;
  if (!mayRead) return { isStopped, why: "You may not see this farm's schedules." };
  if (!info) return { isStopped, why: "Which schedule is wanted of it isn't known yet." };
  if (!sets) return { isStopped, why: "Which schedule the farm waters by isn't known yet." };
  if (!setUID) return { isStopped, why: 'The farm waters by no schedule yet: there is none to send.' };
  return {
    isStopped,
    why: null,
    payload: {
      setUID,
      serialNumbers: [unit.serial],
      hideNotification: false,
      resultMessage: `${unit.name} has its schedule.`,
    },
  };
}
