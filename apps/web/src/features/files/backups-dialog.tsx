import { useState } from 'react';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Backup } from '@headrace/contract/backups';
import { backupNotFoundText } from '@headrace/contract/texts';
import { mayRestore } from '@headrace/contract/rules/may-restore';
import type { FarmCard } from '@headrace/contract/farms';
import { useCan } from '../../access/permissions.ts';
import { call, errorText } from '../../api/client.ts';
import { Ways } from '../../forms/dialog.tsx';
import { DangerButton } from '../../forms/danger-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { toast } from '../../ui/toasts.ts';
import { nameOf, notRemovedText } from './backup-labels.ts';
import { BackupList } from './backup-list.tsx';
import { backupsQuery } from './backups.queries.ts';
import { CreateBackup } from './create-backup.tsx';
import { FileDialog } from './file-dialog.tsx';
import { RestorePlanStep } from './restore-plan.tsx';
import classes from './files.module.css';

/** Backups of a farm's configuration: made, looked at, restored, deleted. */
export function BackupsDialog({ farm, onClose }: { farm: FarmCard; onClose: () => void }) {
  const [restoring, setRestoring] = useState<Backup | null>(null);
  return (
    <FileDialog title="Restore configuration of the farm" size={820} onClosed={onClose}>
      {(close) =>
        restoring ? (
          <RestorePlanStep farm={farm} backup={restoring} onBack={() => setRestoring(null)} onClose={close} />
        ) : (
          <Backups farm={farm} onRestore={setRestoring} />
        )
      }
    </FileDialog>
  );
}

const NO_RIGHT = 'Only who may edit the farm can make, restore and delete backups.';

function Backups({ farm, onRestore }: { farm: FarmCard; onRestore: (backup: Backup) => void }) {
  const query = useQuery(backupsQuery(farm._id));
  const may = useCan(mayRestore, farm._id);
  const [chosen, setChosen] = useState('');
  const [fault, setFault] = useState('');
  const found = query.data?.find(({ _id }) => _id === chosen);
  const withChosen = (act: (backup: Backup) => void) => () => {
    setFault(found ? '' : backupNotFoundText(chosen));
    if (found) act(found);
  };
  return (
    <>
      <p className={classes.text}>
        Devices, groups, boundary, schedules, inputs and relays, and water takes of {farm.name}. No readings
        of devices, people, keys or alerts.
      </p>
      {may ? <CreateBackup farmUID={farm._id} /> : <p className={classes.text}>{NO_RIGHT}</p>}
      <StateView
        query={query}
        skeleton={<Skeleton blocks={3} blockPx={64} />}
        failed="The backups couldn't be loaded"
        isEmpty={(backups) => backups.length === 0}
        empty={
          <p className={classes.text}>
            No backups yet. One is made each night when something has changed, before each import and restore,
            and before many devices are deleted or lose their places.
          </p>
        }
      >
        {(backups) => (
          <BackupList
            backups={backups}
            chosen={chosen}
            onChoose={(uid) => {
              setFault('');
              setChosen(uid);
            }}
          />
        )}
      </StateView>
      {fault !== '' && (
        <p role="alert" className={classes.failed}>
          {fault}
        </p>
      )}
      <Ways isLong>
        <Delete farmUID={farm._id} backup={found} isAllowed={may} ask={withChosen} />
        <Button mih={44} disabled={!may} onClick={withChosen(onRestore)}>
          Restore…
        </Button>
      </Ways>
    </>
  );
}

interface DeleteProps {
  farmUID: string;
  backup: Backup | undefined;
  isAllowed: boolean;
  ask: (act: (backup: Backup) => void) => () => void;
}

/** Asks once more: it can't be brought back. */
function Delete({ farmUID, backup, isAllowed, ask }: DeleteProps) {
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState('');
  const remove = useMutation({
    mutationFn: ({ _id }: Backup) => call('DELETE /backup', { query: { bakUID: _id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: backupsQuery(farmUID).queryKey }),
    onError: (error, gone) => toast.error(`${notRemovedText(nameOf(gone))} ${errorText(error)}`),
  });
  if (!backup || asked !== backup._id)
    return (
      <Button
        variant="default"
        mih={44}
        disabled={!isAllowed || remove.isPending}
        onClick={ask(({ _id }) => setAsked(_id))}
      >
        Delete…
      </Button>
    );
  return (
    <DangerButton
      isReady={!remove.isPending}
      onPress={() => {
        setAsked('');
        remove.mutate(backup);
      }}
    >
      Delete for good
    </DangerButton>
  );
}
