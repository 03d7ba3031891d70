import { useMemo, useState, type FormEvent, type ReactNode } from 'react';
import { Button, TextInput } from '@mantine/core';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Api } from '@headrace/contract/api';
import { wholeText } from '@headrace/contract/rules/number-text';
import { call, isMissing } from '../../api/client.ts';
import { NotFoundPage } from '../../access/message-pages.tsx';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { toast } from '../../ui/toasts.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { deviceKinds } from '../../device-records/device-kinds.ts';
import { DeviceList } from '../devices/device-list.tsx';
import { type ListKind, locationless } from '../devices/list-kind.ts';
import { DevicesTitle } from './devices-title.tsx';
import { groupDevicesQuery, renewGroups } from './groups.queries.ts';
import type { Member } from './members.ts';
import { devicesInRanges } from './name-ranges.ts';
import {
  changeOf,
  type Hidden,
  type MemberChange,
  sizeOf,
  useChangeMembers,
  useMembers,
} from './use-members.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './groups.module.css';

const kind: ListKind<Member> = {
  kind: { ...deviceKinds.sprinkler, one: 'device', many: 'devices', title: 'Devices' },
  filters: [
    { id: 'in', label: 'In the group', isIn: ({ isIn }) => isIn },
    { id: 'out', label: 'Not in the group', isIn: ({ isIn }) => !isIn },
    { id: 'taken', label: 'In another lateral group', isIn: ({ isIn, taken }) => !isIn && taken !== null },
    { id: 'alone', label: 'In no group', isIn: ({ isIn, others }) => !isIn && others.length === 0 },
    { id: 'points', label: 'Points of interest', isIn: (one) => one.kind === 'pois' },
    locationless(),
  ],
  standing: ({ standing }) => standing,
  columns: [
    {
      id: 'in',
      label: 'This group',
      width: 'minmax(140px, 1.2fr)',
      cell: insideText,
      order: insideText,
      onCard: '',
    },
    {
      id: 'others',
      label: 'Other groups',
      width: 'minmax(120px, 1.4fr)',
      cell: ({ others }) => others.join(', ') || '–',
      order: ({ others }) => others.join(', '),
    },
    {
      id: 'serial',
      label: 'Serial number',
      width: '150px',
      cell: ({ serialNumber }) => serialNumber ?? '–',
      order: ({ serialNumber }) => serialNumber ?? '',
    },
  ],
};

function insideText({ isIn, taken }: Member): string {
  if (isIn) return 'In the group';
  return taken === null ? '–' : `Lateral in ${taken}`;
}

/** `/group/devices-list/{farmUID}/{groupId}` */
export function DevicesListPage() {
  const { farmUID, groupId } = useParams({ from: '/group/devices-list/$farmUID/$groupId' });
  const { group, query, hidden } = useMembers(farmUID, groupId);
  if (isMissing(query)) return <NotFoundPage />;
  return (
    <>
      <DevicesTitle group={group} members={query.data} hidden={hidden}>
        <Link className={classes.way} to="/group/devices-map/$farmUID/$groupId" params={{ farmUID, groupId }}>
          On the map
        </Link>
      </DevicesTitle>
      <StateView
        query={query}
        failed="The devices couldn't be loaded"
        skeleton={<Skeleton blocks={2} blockPx={170} />}
        isEmpty={(members) => members.length === 0}
        empty={
          <Empty title={noneText(hidden)} action={group && <RemoveAll farmUID={farmUID} group={group} />}>
            {hidden.ipcs !== null && 'Whoever manages the farm can allow you to read them.'}
          </Empty>
        }
      >
        {(members) => group && <Devices farmUID={farmUID} group={group} members={members} />}
      </StateView>
    </>
  );
}

const noneText = ({ ipcs, pois }: Hidden): string =>
  ipcs === null
    ? `The farm has no sprinklers${pois === null ? ' and no points of interest' : ''} yet.`
    : "You may not see this farm's sprinklers, so they can't be chosen.";

interface DevicesProps {
  farmUID: string;
  group: Api['GET /group/devices']['reply'];
  members: readonly Member[];
}

function Devices({ farmUID, group, members }: DevicesProps) {
  const change = useChangeMembers(farmUID, group.id);
  return (
    <>
      <RangeForm members={members} onChange={change}>
        <RemoveAll farmUID={farmUID} group={group} />
      </RangeForm>
      <DeviceList
        farmUID={farmUID}
        items={members}
        kind={kind}
        canEdit={false}
        renderBulk={(chosen, clear) => (
          <ChangeButtons
            chosen={chosen}
            onChange={(asked) => {
              change(asked);
              clear();
            }}
          />
        )}
      />
    </>
  );
}

/** Those that can be added: not the ones in another lateral group. */
const additionOf = (chosen: readonly Member[]) =>
  changeOf(
    'add',
    chosen.filter(({ taken }) => taken === null),
  );

interface ChangeButtonsProps {
  chosen: readonly Member[];
  onChange: (change: MemberChange) => void;
}

function ChangeButtons({ chosen, onChange }: ChangeButtonsProps) {
  const addition = additionOf(chosen);
  const removal = changeOf('remove', chosen);
  const button = (change: MemberChange, shown: string, Icon: typeof IconPlus) =>
    sizeOf(change) > 0 && (
      <Button
        mih={44}
        variant={change.way === 'add' ? 'filled' : 'default'}
        leftSection={<Icon size={18} stroke={1.9} aria-hidden="true" />}
        onClick={() => onChange(change)}
      >
        {shown} {wholeText(sizeOf(change))}
      </Button>
    );
  return (
    <>
      {button(addition, 'Add', IconPlus)}
      {button(removal, 'Remove', IconMinus)}
      {sizeOf(addition) + sizeOf(removal) === 0 && <span>In another lateral group</span>}
    </>
  );
}

interface RangeFormProps {
  members: readonly Member[];
  onChange: (change: MemberChange) => void;
  children: ReactNode;
}

/** Devices by their names: quicker than ticking where a run of sprinklers joins the group. */
function RangeForm({ members, onChange, children }: RangeFormProps) {
  const [text, setText] = useState('');
  const [said, setSaid] = useState('');
  const found = useMemo(() => {
    const { ids, unknown } = devicesInRanges(text, members);
    const wanted = new Set(ids);
    return { devices: members.filter(({ _id }) => wanted.has(_id)), unknown };
  }, [text, members]);
  const send = (change: MemberChange) => {
    if (text.trim() === '') return;
    const taken = change.way === 'add' ? found.devices.filter((one) => !one.isIn && one.taken !== null) : [];
    setSaid(outcomeText(change, found.unknown, taken));
    if (sizeOf(change) === 0) return;
    onChange(change);
    setText('');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(additionOf(found.devices));
  };
  return (
    <form className={classes.range} onSubmit={submit} aria-label="Devices by their names">
      <TextInput
        size="md"
        label="Devices by their names"
        placeholder="A1-A20, B3"
        autoComplete="off"
        value={text}
        maxLength={500}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" mih={44} aria-disabled={text.trim() === ''}>
        Add
      </Button>
      <Button
        variant="default"
        mih={44}
        aria-disabled={text.trim() === ''}
        onClick={() => send(changeOf('remove', found.devices))}
      >
        Remove
      </Button>
      {children}
      <output className={classes.says}>{said}</output>
    </form>
  );
}

/** What was done with the names that were written, and why not with the others. */
function outcomeText(change: MemberChange, unknown: readonly string[], taken: readonly Member[]): string {
  const n = sizeOf(change);
  const done = change.way === 'add' ? 'added' : 'removed';
  return [
    `${n === 1 ? '1 device' : `${wholeText(n)} devices`} ${done}.`,
    ...taken.slice(0, 5).map(({ name, taken: group }) => `${name} is in lateral group ${group}.`),
    ...(taken.length > 5 ? [`So are ${taken.length - 5} more.`] : []),
    ...(unknown.length > 0 ? [`Not found: ${unknown.join(', ')}.`] : []),
  ].join(' ');
}

function RemoveAll({ farmUID, group }: Pick<DevicesProps, 'farmUID' | 'group'>) {
  const queryClient = useQueryClient();
  const [isAsking, setIsAsking] = useState(false);
  const count = group.ipcs.length + group.pois.length;
  if (count === 0) return null;
  const devices = count === 1 ? '1 device leaves' : `${wholeText(count)} devices leave`;
  return (
    <>
      <Button variant="default" mih={44} onClick={() => setIsAsking(true)}>
        Remove all devices
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`Remove all devices from ${group.name}?`}
          confirm="Remove all devices"
          doing="Removing…"
          run={() => call('PUT /group/devices/remove-all', { body: { groupId: group.id } })}
          failed="Devices couldn't be removed!"
          onDone={() => {
            toast.success('Devices removed successfully!');
            queryClient.setQueryData(groupDevicesQuery(group.id).queryKey, { ...group, ipcs: [], pois: [] });
            void renewGroups(queryClient, farmUID);
          }}
          onClose={() => setIsAsking(false)}
        >
          {devices} the group and {count === 1 ? 'stays' : 'stay'} on the farm.
        </ConfirmDialog>
      )}
    </>
  );
}
