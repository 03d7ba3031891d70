import { useQuery } from '@tanstack/react-query';
import { MUCH_FROM } from '@headrace/contract/limits';
import { can, needs } from '@headrace/contract/permissions';
import { inNaturalOrder } from '@headrace/contract/rules/natural-order';
import { countText, wholeText } from '@headrace/contract/rules/number-text';
import { useCan } from '../../access/permissions.ts';
import { sprinklersQuery } from '../../device-records/sprinklers.queries.ts';
import { repeatersQuery } from '../../device-records/repeaters.queries.ts';
import { sensorsQuery } from '../../device-records/sensors.queries.ts';
import type { Going } from '../devices/edit-page.tsx';

/** So many are named, the others counted. */
const NAMED = 12;

interface Unit {
  readonly _id: string;
  readonly name: string;
  readonly gatewayUID: string | null;
}

/** The devices that name this gateway as theirs, of the kinds one may read: they are heard through it. */
export function useUnitsOfGateway(farmUID: string, id: string): Going {
  const canSprinklers = useCan({ anyOf: [can('irrigationDevices', 'Read')] }, farmUID);
  const canRepeaters = useCan({ anyOf: [can('repeaters', 'Read')] }, farmUID);
  const canSensors = useCan(needs.readSensors, farmUID);
  const { data: sprinklers } = useQuery({ ...sprinklersQuery(farmUID), enabled: canSprinklers });
  const { data: repeaters } = useQuery({ ...repeatersQuery(farmUID), enabled: canRepeaters });
  const { data: sensors } = useQuery({ ...sensorsQuery(farmUID), enabled: canSensors });
  const own = (units: readonly Unit[] = []) => units.filter(({ gatewayUID }) => gatewayUID === id);
  const kinds = [
    [own(sprinklers), 'sprinkler'],
    [own(repeaters), 'repeater'],
    [own(sensors), 'sensor'],
  ] as const;
  const units = kinds.flatMap(([of]) => of);
  const isOpen = (mayRead: boolean, data: unknown) => mayRead && data === undefined;
  // Not known how many: as if many.
  if (isOpen(canSprinklers, sprinklers) || isOpen(canRepeaters, repeaters) || isOpen(canSensors, sensors))
    return { text: 'How many devices are heard through it is not known yet.', isMuch: true };
  return { text: goingText(kinds, units), isMuch: units.length >= MUCH_FROM };
}

function goingText(kinds: readonly (readonly [readonly Unit[], string])[], units: readonly Unit[]): string {
  if (units.length === 0) return 'No device names it as its gateway.';
  const counts = kinds.flatMap(([{ length }, noun]) => (length === 0 ? [] : [countText(length, noun)]));
  const names = inNaturalOrder(units.map(({ _id, name }) => ({ id: _id, name }))).map(({ name }) => name);
  const more = names.length - NAMED;
  const named = `${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${wholeText(more)} more` : ''}`;
  const are = units.length === 1 ? 'is heard no more through it' : 'are heard no more through it';
  return `${listed(counts)} ${are}: ${named}.`;
}

const listed = (parts: readonly string[]) =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
