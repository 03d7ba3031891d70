import { useState } from 'react';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { CodecSummary } from '@headrace/contract/codecs';
import { call, errorText } from '../../api/client.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { toast } from '../../ui/toasts.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { CodecDialog, type CodecDialogProps } from './codec-dialog.tsx';
import classes from './codecs.module.css';

export interface CodecActionsProps {
  farmUID: string;
  /** The chosen one. */
  codec: CodecSummary | undefined;
  first: CodecDialogProps['first'];
  onMade: (codecId: string) => void;
  onRemoved: () => void;
}

/** A new codec of the farm's own, a new version of the chosen one, or its end. */
export function CodecActions({ farmUID, codec, first, onMade, onRemoved }: CodecActionsProps) {
  const queryClient = useQueryClient();
  const [open, setOpen] = useState<'new' | 'edit' | 'delete' | null>(null);
  const renew = () => void queryClient.invalidateQueries({ queryKey: ['codecs', farmUID] });
  const enable = useMutation({
    mutationFn: (codecId: string) => call('PUT /codec', { body: { farmUID, codecId, enabled: true } }),
    onSuccess: renew,
    onError: (error) => toast.error(errorText(error)),
  });
  const own = codec && !codec.builtIn ? codec : null;
  return (
    <>
      {codec?.firmware && <p className={classes.dim}>Firmware: {codec.firmware}</p>}
      {codec?.source && <p className={classes.dim}>By {codec.source}</p>}
      {own?.off && (
        <p className={classes.off} role="status">
          <ConditionDot condition="issue" label={null} />
          <span>Switched off: {own.off.reason}</span>
          <Button variant="default" mih={44} loading={enable.isPending} onClick={() => enable.mutate(own.id)}>
            Switch on again
          </Button>
        </p>
      )}
      <div className={classes.actions}>
        <Button variant="default" mih={44} onClick={() => setOpen('new')}>
          New codec
        </Button>
        {own && (
          <Button variant="default" mih={44} onClick={() => setOpen('edit')}>
            Edit {own.name}
          </Button>
        )}
        {own && own.usedBy.length === 0 && (
          <Button variant="default" mih={44} onClick={() => setOpen('delete')}>
            Delete {own.name}
          </Button>
        )}
      </div>
      {own && own.usedBy.length > 0 && <p className={classes.dim}>Used by {own.usedBy.join(', ')}</p>}
      {(open === 'new' || (open === 'edit' && own)) && (
        <CodecDialog
          farmUID={farmUID}
          codecId={open === 'edit' ? own?.id : undefined}
          first={first}
          onSaved={onMade}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'delete' && own && (
        <ConfirmDialog
          title={`Delete the codec ${own.name}?`}
          confirm="Delete codec"
          doing="Deleting…"
          isFinal
          run={() => call('DELETE /codec', { query: { farmUID, codecId: own.id } })}
          onDone={() => {
            onRemoved();
            renew();
          }}
          onClose={() => setOpen(null)}
        >
          It is removed with all its versions.
        </ConfirmDialog>
      )}
    </>
  );
}
