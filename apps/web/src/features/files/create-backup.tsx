import { useState } from 'react';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { BACKUP_DESCRIPTION_MAX } from '@headrace/contract/limits';
import { call, errorText } from '../../api/client.ts';
import { AreaField } from '../../forms/fields.tsx';
import { notCreatedText } from './backup-labels.ts';
import { backupsQuery } from './backups.queries.ts';
import classes from './files.module.css';

/** What is wrong is said as one types. */
const noBlur = () => {};

/** A description, and a backup of the farm as it is now. */
export function CreateBackup({ farmUID }: { farmUID: string }) {
  const queryClient = useQueryClient();
  const [desc, setDesc] = useState('');
  const create = useMutation({
    mutationFn: () => call('POST /backup', { body: { farmUID, desc } }),
    onSuccess: () => {
      setDesc('');
      return queryClient.invalidateQueries({ queryKey: backupsQuery(farmUID).queryKey });
    },
  });
  const length = desc.trim().length;
  const isTooLong = length > BACKUP_DESCRIPTION_MAX;
  return (
    <div className={classes.create}>
      <AreaField
        name="desc"
        label="Description"
        rows={2}
        value={desc}
        onBlur={noBlur}
        onChange={setDesc}
        error={
          isTooLong
            ? `Description has ${length} characters. The most is ${BACKUP_DESCRIPTION_MAX}.`
            : undefined
        }
      />
      <Button mih={44} loading={create.isPending} disabled={isTooLong} onClick={() => create.mutate()}>
        Create backup
      </Button>
      {create.isError && (
        <p role="alert" className={classes.failed}>
          {notCreatedText} {errorText(create.error)}
        </p>
      )}
    </div>
  );
}
