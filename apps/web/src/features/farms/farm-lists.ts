import {
  IconAccessPoint,
  IconAntenna,
  IconCalendarTime,
  IconCalendarWeek,
  IconDroplets,
  IconPlant2,
  IconDropletCheck,
  IconFlag,
  IconMap2,
  IconMessages,
  IconNotebook,
  IconRouter,
  IconTimeline,
  IconWalk,
  type Icon,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { FarmCard } from '@headrace/contract/farms';
import { can, needs } from '@headrace/contract/permissions';
import { mayOn, permissionsQuery } from '../../access/permissions.ts';

/** Lists of what a farm has; those that are about sprinklers aren't there on a farm of tanks. spec 2 §6 */
const lists = [
  ['Sprinklers', IconDroplets, '/irrigation-devices/$id', 'irrigationDevices'],
  ['Sensors', IconAntenna, '/sensor-devices/$id', 'sensors'],
  ['Repeaters', IconAccessPoint, '/repeater-devices/$id', 'repeaters'],
  ['Gateways', IconRouter, '/gateway-devices/$id', 'gateways'],
  ['Points of interest', IconFlag, '/pois/$id', 'pois'],
] as const;
const ofSprinklers: readonly string[] = ['irrigationDevices', 'repeaters'];

/** The lists and the sprinkler map of a farm that this person may open. */
export function useFarmLists({ _id: farmUID, tankOnly }: FarmCard) {
  const { data: permissions = [] } = useQuery(permissionsQuery);
  const shown = lists.filter(
    ([, , , resource]) =>
      mayOn(permissions, farmUID, { anyOf: [can(resource, 'Read')] }) &&
      !(tankOnly && ofSprinklers.includes(resource)),
  );
  const hasMap = !tankOnly && mayOn(permissions, farmUID, needs.tankMap);
  const hasWalk = !tankOnly && mayOn(permissions, farmUID, needs.walkList);
  const hasSchedules = !tankOnly && mayOn(permissions, farmUID, { anyOf: [can('schedules', 'Read')] });
  const hasDiary = mayOn(permissions, farmUID, needs.dashboard);
  const hasTakes = mayOn(permissions, farmUID, needs.readSensors);
  const hasLetters = mayOn(permissions, farmUID, needs.readLetters);
  return [
    ...(hasMap ? [mapOf(farmUID)] : []),
    ...shown.map(([label, Icon, to]) => ({ label, Icon, link: { to, params: { id: farmUID } } })),
    ...(hasWalk ? [walkOf(farmUID)] : []),
    ...(hasSchedules ? [setsOf(farmUID), wateringOf(farmUID), templatesOf(farmUID), adviceOf(farmUID)] : []),
    ...(hasDiary ? [diaryOf(farmUID)] : []),
    ...(hasTakes ? [takesOf(farmUID)] : []),
    ...(hasLetters ? [messagesOf(farmUID)] : []),
  ] satisfies { label: string; Icon: Icon; link: object }[];
}

const messagesOf = (farmUID: string) => ({
  label: 'Device messages',
  Icon: IconMessages,
  link: { to: '/device-messages/$farmUID' as const, params: { farmUID } },
});

const walkOf = (farmUID: string) => ({
  label: 'Walk list',
  Icon: IconWalk,
  link: { to: '/walk-list/$farmUID' as const, params: { farmUID } },
});

const setsOf = (farmUID: string) => ({
  label: 'Schedule sets',
  Icon: IconCalendarWeek,
  link: { to: '/schedules/$id' as const, params: { id: farmUID } },
});

const wateringOf = (farmUID: string) => ({
  label: 'Schedules management',
  Icon: IconTimeline,
  link: { to: '/schedules/view/$id' as const, params: { id: farmUID } },
});

const adviceOf = (farmUID: string) => ({
  label: 'Irrigation advice',
  Icon: IconPlant2,
  link: { to: '/irrigation-advice/$farmUID' as const, params: { farmUID } },
});

const diaryOf = (farmUID: string) => ({
  label: 'Irrigation diary',
  Icon: IconNotebook,
  link: { to: '/irr-diary-logs/view/$farmUID' as const, params: { farmUID } },
});

const takesOf = (farmUID: string) => ({
  label: 'Water takes',
  Icon: IconDropletCheck,
  link: { to: '/water-takes/$farmUID' as const, params: { farmUID } },
});

const templatesOf = (farmUID: string) => ({
  label: 'Schedule templates',
  Icon: IconCalendarTime,
  link: { to: '/scheduler/$farmUID' as const, params: { farmUID } },
});

const mapOf = (farmUID: string) => ({
  label: 'Sprinkler map',
  Icon: IconMap2,
  link: { to: '/group-status/$name' as const, params: { name: 'FARM' }, search: { farm: farmUID } },
});
