import { Button, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useCan } from '../../access/permissions.ts';
import { deviceKinds, needOf } from '../../device-records/device-kinds.ts';
import classes from './group-map.module.css';

export interface FindRowProps {
  farmUID: string;
  typed: string;
  onType: (text: string) => void;
}

/** Finds devices of the map by what they are called, and leads to where sprinklers are added by taps. */
export function FindRow({ farmUID, typed, onType }: FindRowProps) {
  const canAdd = useCan(needOf(deviceKinds.sprinkler, 'Create'), farmUID);
  return (
    <div className={classes.find} role="search" aria-label="Find on this map">
      <TextInput
        type="search"
        size="md"
        aria-label="Search this map"
        placeholder="Search"
        leftSection={<IconSearch size={18} stroke={1.7} aria-hidden="true" />}
        value={typed}
        maxLength={80}
        onChange={(event) => onType(event.currentTarget.value)}
      />
      {canAdd && (
        <Button
          renderRoot={(props) => (
            <Link
              {...props}
              to="/irrigation-device/map/$farmUID"
              params={{ farmUID }}
              state={{ opened: true }}
            />
          )}
          variant="default"
          mih={44}
          px={12}
          leftSection={<IconPlus size={18} aria-hidden="true" />}
          aria-label="Add sprinklers on the map"
        >
          Add
        </Button>
      )}
    </div>
  );
}
