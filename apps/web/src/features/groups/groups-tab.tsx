import { Button, NativeSelect, TextInput } from '@mantine/core';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { FarmCard } from '@headrace/contract/farms';
import type { Group } from '@headrace/contract/groups';
import { can } from '@headrace/contract/permissions';
import { compareNatural } from '@headrace/contract/rules/natural-order';
import { foldText } from '../../ui/fold-text.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { useSearchPatch } from '../../ui/url-state.ts';
import { useCan } from '../../access/permissions.ts';
import { useCurrentFarm } from '../../farm/current-farm.ts';
import { GroupCard } from './group-card.tsx';
import { UnderWay } from '../commands/under-way.tsx';
import { groupCardsQuery } from './groups.queries.ts';
import type { GroupsSearch } from './groups-search.ts';
import cards from '../../ui/card-grid.module.css';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './groups.module.css';

/** The groups of one of the farms: that of the address, else the current one. */
export function GroupsTab({ farms }: { farms: readonly FarmCard[] }) {
  const { f } = useSearch({ from: '/' });
  const current = useCurrentFarm();
  const farm = farms.find(({ _id }) => _id === (f ?? current?._id)) ?? farms[0];
  if (!farm) return null;
  return (
    <>
      <Tools farms={farms} farmUID={farm._id} />
      {/* What is for the whole farm, or for some of it, is no one card's. */}
      <div className={classes.underWay}>
        <UnderWay farmUID={farm._id} groupUID={null} />
      </div>
      <Groups key={farm._id} farmUID={farm._id} />
    </>
  );
}

function Tools({ farms, farmUID }: { farms: readonly FarmCard[]; farmUID: string }) {
  const { g = '', sort } = useSearch({ from: '/' });
  const patch = useSearchPatch<GroupsSearch>();
  const canCreate = useCan({ anyOf: [can('groups', 'Create')] }, farmUID);
  return (
    <div className={classes.tools}>
      <NativeSelect
        size="md"
        aria-label="Farm"
        className={classes.farm ?? ''}
        data={farms.map(({ _id, name }) => ({ value: _id, label: name }))}
        value={farmUID}
        onChange={(event) => patch({ f: event.currentTarget.value }, { replace: true })}
      />
      <TextInput
        type="search"
        size="md"
        aria-label="Search groups"
        placeholder="Search groups"
        className={classes.search ?? ''}
        leftSection={<IconSearch size={18} stroke={1.7} aria-hidden="true" />}
        value={g}
        maxLength={40}
        onChange={(event) => patch({ g: event.currentTarget.value || undefined }, { replace: true })}
      />
      <NativeSelect
        size="md"
        aria-label="Sort by"
        data={[
          { value: '', label: 'Name A-Z' },
          { value: 'za', label: 'Name Z-A' },
        ]}
        value={sort ?? ''}
        onChange={(event) =>
          patch({ sort: event.currentTarget.value === 'za' ? 'za' : undefined }, { replace: true })
        }
      />
      {canCreate && <AddGroup farmUID={farmUID} />}
    </div>
  );
}

const AddGroup = ({ farmUID }: { farmUID: string }) => (
  <Button
    mih={44}
    leftSection={<IconPlus size={18} stroke={1.9} aria-hidden="true" />}
    renderRoot={(props) => <Link {...props} to="/group/new/$farmUID" params={{ farmUID }} />}
  >
    New Group
  </Button>
);

function Groups({ farmUID }: { farmUID: string }) {
  const canRead = useCan({ anyOf: [can('groups', 'Read')] }, farmUID);
  const query = useQuery({ ...groupCardsQuery(farmUID), enabled: canRead });
  if (!canRead) return <Empty title="You don't have permissions to see the groups." />;
  return (
    <StateView
      query={query}
      failed="The groups couldn't be loaded"
      skeleton={<Skeleton blocks={8} blockPx={112} className={cards.grid} />}
      isEmpty={(groups) => groups.length === 0}
      empty={
        <Empty title="No groups yet.">
          Groups bring sprinklers together that are watched, watered and stopped together.
        </Empty>
      }
    >
      {(groups) => <Cards groups={groups} />}
    </StateView>
  );
}

function Cards({ groups }: { groups: readonly Group[] }) {
  const { g = '', sort } = useSearch({ from: '/' });
  const patch = useSearchPatch<GroupsSearch>();
  const turn = sort === 'za' ? -1 : 1;
  const shown = groups
    .filter(({ name }) => foldText(name).includes(foldText(g)))
    .toSorted((one, other) => turn * compareNatural(one.name, other.name));
  if (shown.length === 0)
    return (
      <Empty
        title="No group matches."
        action={<PlainButton onClick={() => patch({ g: undefined })}>Show all groups</PlainButton>}
      />
    );
  return (
    <div className={cards.grid}>
      {shown.map((group) => (
        <GroupCard key={group._id} group={group} />
      ))}
    </div>
  );
}
