import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { can, flag } from '@headrace/contract/permissions';
import { filterKinds, type FilterKind } from '@headrace/contract/rules/sprinkler-filter';
import { PlainButton } from '../../ui/plain-button.tsx';
import { useCan } from '../../access/permissions.ts';
import { deviceKinds, newPath, needOf } from '../../device-records/device-kinds.ts';
import { groupsQuery } from '../../device-records/choices.queries.ts';
import { WHOLE_FARM } from './group-map.queries.ts';
import classes from '../../map/map-list.module.css';

export interface NothingListedProps {
  farmUID: string;
  /** The group's, or the whole farm's. */
  name: string;
  filter: FilterKind;
  /** What was searched for. */
  typed: string;
  onClearSearch: () => void;
}

/** Why the list is empty, and what to do about it. */
export function NothingListed({ farmUID, name, filter, typed, onClearSearch }: NothingListedProps) {
  if (typed.trim() !== '')
    return (
      <div className={classes.none}>
        <p>
          Nothing here has “{typed.trim()}” in its name, serial number, MAC or group
          {filter === filterKinds.All ? '.' : ' under this filter.'}
        </p>
        <PlainButton onClick={onClearSearch}>Clear the search</PlainButton>
      </div>
    );
  return (
    <div className={classes.none}>
      <p>
        No items to display.{' '}
        {filter === filterKinds.All
          ? 'Add sprinklers to see them here.'
          : 'Choose another filter to see more.'}
      </p>
      {filter === filterKinds.All &&
        (name === WHOLE_FARM ? <AddSprinkler farmUID={farmUID} /> : <ChooseMembers {...{ farmUID, name }} />)}
    </div>
  );
}

function AddSprinkler({ farmUID }: { farmUID: string }) {
  if (!useCan(needOf(deviceKinds.sprinkler, 'Create'), farmUID)) return null;
  return (
    <Link to={newPath(deviceKinds.sprinkler, farmUID)} state={{ opened: true }}>
      Add a sprinkler
    </Link>
  );
}

/** Whoever may choose a group's devices, goes there. */
function ChooseMembers({ farmUID, name }: { farmUID: string; name: string }) {
  const mayRead = useCan({ anyOf: [can('groups', 'Read')] }, farmUID);
  const mayChoose = useCan({ anyOf: [flag('manageGroupDevices')] }, farmUID);
  const { data } = useQuery({ ...groupsQuery(farmUID), enabled: mayRead && mayChoose });
  const group = data?.find((one) => one.name === name);
  if (!group || !mayChoose) return null;
  return (
    <Link to="/group/devices-list/$farmUID/$groupId" params={{ farmUID, groupId: group._id }}>
      Choose the sprinklers of {name}
    </Link>
  );
}
