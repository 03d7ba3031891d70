import { useState, type ReactNode } from 'react';
import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { isMissing } from '../../api/client.ts';
import { NotFoundPage } from '../../access/message-pages.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { TitleBar } from '../../ui/title-bar.tsx';
import { useCan } from '../../access/permissions.ts';
import { farmsCardQuery } from '../../farm/farms.queries.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { type DeviceKind, listPath, needOf } from '../../device-records/device-kinds.ts';
import { ChangesPanel } from '../changes/changes-panel.tsx';
import { offerUndo } from '../changes/undo.ts';
import { renewDevices } from '../changes/renew.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './device-form.module.css';

interface Removed {
  readonly batchId?: string | null;
}
export interface Going {
  readonly text: string;
  readonly isMuch: boolean;
}

interface Saved {
  readonly _id: string;
  readonly name: string;
  readonly farmUID: string;
}

export interface EditPageProps<R extends Saved> {
  kind: DeviceKind;
  farmUID: string;
  query: UseQueryResult<R>;
  remove: (record: R) => Promise<Removed>;
  /** What goes with it, in numbers, and whether that is much; unless its kind says it all. */
  going?: Going | undefined;
  failed?: string | undefined;
  /** What else can be done with it. */
  renderActions?: ((record: R) => ReactNode) | undefined;
  children: (record: R) => ReactNode;
}

/** A page on which a device is edited: its form, what else can be done with it, and who changed it. */
export function EditPage<R extends Saved>(props: EditPageProps<R>) {
  const { kind, farmUID, query, remove, renderActions, children } = props;
  const record = query.data;
  // Ids are found on whichever farm they are: the address names this one.
  if (isMissing(query) || (record && record.farmUID !== farmUID)) return <NotFoundPage />;
  return (
    <>
      <PageTitle kind={kind} farmUID={farmUID} title={record?.name ?? capital(kind.one)} />
      <StateView
        query={query}
        failed={props.failed ?? `The ${kind.one} couldn't be loaded`}
        skeleton={<Skeleton blocks={2} blockPx={170} />}
      >
        {(found) => (
          <>
            {children(found)}
            <Panel title="More">
              <div className={classes.actions}>
                {renderActions?.(found)}
                <DeleteButton kind={kind} record={found} remove={() => remove(found)} going={props.going} />
              </div>
            </Panel>
            <ChangesPanel farmUID={farmUID} uid={found._id} />
          </>
        )}
      </StateView>
    </>
  );
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The heading of a form, with the farm and the way back to the list. */
export function PageTitle({ kind, farmUID, title }: { kind: DeviceKind; farmUID: string; title: string }) {
  const { data: farms } = useQuery(farmsCardQuery);
  const farm = farms?.find(({ _id }) => _id === farmUID)?.name ?? '';
  return (
    <TitleBar title={title} subtitle={`${capital(kind.one)} · ${farm}`} back={listPath(kind, farmUID)} />
  );
}

interface DeleteButtonProps {
  kind: DeviceKind;
  record: Saved;
  remove: () => Promise<Removed>;
  going: Going | undefined;
}

function DeleteButton({ kind, record, remove, going }: DeleteButtonProps) {
  const queryClient = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const leave = useLeaveForList(kind, record.farmUID);
  const mayDelete = useCan(needOf(kind, 'Delete'), record.farmUID);
  if (!mayDelete) return null;
  return (
    <>
      <Button
        variant="default"
        mih={44}
        leftSection={<IconTrash size={18} stroke={1.7} aria-hidden="true" />}
        onClick={() => setIsOpen(true)}
      >
        Delete {kind.one}
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={`Delete ${record.name}?`}
          confirm={`Delete ${kind.one}`}
          doing="Deleting…"
          isUndoable
          {...(going?.isMuch && { typed: record.name })}
          run={remove}
          onDone={({ batchId }) => {
            const { farmUID, name } = record;
            offerUndo(queryClient, `${name} deleted.`, { farmUID, batchId, act: `delete ${kind.form}` });
            leave();
          }}
          onClose={() => setIsOpen(false)}
        >
          {whatGoes[kind.form]} {going?.text}
        </ConfirmDialog>
      )}
    </>
  );
}

const whatGoes: Record<DeviceKind['form'], string> = {
  sprinkler:
    'The sprinkler leaves the farm, its groups and its schedules. The readings it has sent are kept, and its serial number is free.',
  gateway: 'The gateway is disconnected at once and its key ends. What it has sent is kept.',
  repeater: 'The repeater leaves the farm. The readings it has sent are kept, and its serial number is free.',
  sensor: 'The sensor leaves the farm. The readings it has sent are kept, and its serial number is free.',
  poi: 'The point leaves the map.',
};

/** Back to the page that opened the form, else to the list, with everything that shows devices asked for anew. */
export function useLeaveForList(kind: DeviceKind, farmUID: string): () => void {
  const queryClient = useQueryClient();
  const router = useRouter();
  return () => {
    const { opened } = router.state.location.state;
    // First away from the record: it may not be there any more.
    const off = router.subscribe('onResolved', () => {
      off();
      void renewDevices(queryClient);
    });
    if (opened) router.history.back();
    else void router.navigate({ to: listPath(kind, farmUID) });
  };
}
