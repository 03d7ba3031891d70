import { useQuery } from '@tanstack/react-query';
import { commandNeeds } from '@headrace/contract/command-types';
import { mayOn, permissionsQuery } from '../../../access/permissions.ts';
import { type GroupCommand, manyCommands } from './many-orders.ts';

/** What this person may send to many sprinklers of a farm. */
export function useManyCommands(farmUID: string): readonly GroupCommand[] {
  const { data: permissions = [] } = useQuery(permissionsQuery);
  return manyCommands.filter((command) => mayOn(permissions, farmUID, commandNeeds[command]));
}
