import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Empty, StateView, type StateViewProps } from '../../ui/state-view.tsx';
import { TitleBar } from '../../ui/title-bar.tsx';
import { useCan } from '../../access/permissions.ts';
import { farmsCardQuery } from '../../farm/farms.queries.ts';
import { type DeviceKind, needOf, newPath } from '../../device-records/device-kinds.ts';
import type { Listed } from '../../device-records/device-record.ts';
import { DeviceList, type DeviceListProps } from './device-list.tsx';
import type { ListKind } from './list-kind.ts';
import classes from './device-list.module.css';

export interface ListPageProps<T extends Listed> {
  farmUID: string;
  query: StateViewProps<readonly T[]>['query'];
  kind: ListKind<T>;
  renderBulk?: DeviceListProps<T>['renderBulk'];
  failed?: string | undefined;
  /** Other ways to add some, for people who may. */
  addMore?: ReactNode;
  /** Above the list: what has to be done. */
  notice?: ReactNode;
}

/** The page of a farm's devices of one kind. */
export function ListPage<T extends Listed>(props: ListPageProps<T>) {
  const { farmUID, query, kind, renderBulk, notice } = props;
  const { data: farms } = useQuery(farmsCardQuery);
  const canCreate = useCan(needOf(kind.kind, 'Create'), farmUID);
  const canEdit = useCan(needOf(kind.kind, 'Edit'), farmUID);
  const add = canCreate ? (
    <>
      {props.addMore}
      <AddButton kind={kind.kind} farmUID={farmUID} />
    </>
  ) : null;
  return (
    <>
      <TitleBar title={kind.kind.title} subtitle={farms?.find(({ _id }) => _id === farmUID)?.name} back="/">
        {add}
      </TitleBar>
      {notice}
      <StateView
        query={query}
        failed={props.failed ?? `The ${kind.kind.many} couldn't be loaded`}
        skeleton={<ListSkeleton />}
        isEmpty={(items) => items.length === 0}
        empty={
          <Empty title={`No ${kind.kind.many} yet.`} action={add}>
            {canCreate ? null : `Whoever may add ${kind.kind.many} to this farm can do so here.`}
          </Empty>
        }
      >
        {(items) => (
          <DeviceList
            farmUID={farmUID}
            items={items}
            kind={kind}
            canEdit={canEdit}
            renderBulk={canEdit ? renderBulk : undefined}
          />
        )}
      </StateView>
    </>
  );
}

function AddButton({ kind, farmUID }: { kind: DeviceKind; farmUID: string }) {
  return (
    <Button
      mih={44}
      leftSection={<IconPlus size={18} stroke={1.9} aria-hidden="true" />}
      renderRoot={(props) => <Link {...props} to={newPath(kind, farmUID)} />}
    >
      Add {kind.one}
    </Button>
  );
}

function ListSkeleton() {
  return (
    <div className={classes.skeleton} aria-hidden="true">
      {Array.from({ length: 12 }, (_none, n) => (
        <i key={n} />
      ))}
    </div>
  );
}
