import { useState } from 'react';
import type { FarmCard } from '@headrace/contract/farms';
import { errorText } from '../../api/client.ts';
import { ChooseFile } from './choose-file.tsx';
import { FileDialog, FileDone } from './file-dialog.tsx';
import { resultParts } from './import-labels.ts';
import { ImportPlanStep } from './import-plan.tsx';
import { useFileDrop } from './use-file-drop.ts';
import { useImport } from './use-import.ts';

export interface ImportDialogProps {
  farm: FarmCard;
  /** That was dropped somewhere. */
  file?: File | null;
  onClose: () => void;
}

/** A file is chosen, what it would do is looked at, and it is done: each step says what it knows. */
export function ImportDialog({ farm, file = null, onClose }: ImportDialogProps) {
  const [dropped, setDropped] = useState(file);
  const [notes, setNotes] = useState<readonly string[]>([]);
  const importing = useImport();
  const { look, apply, plan, again } = importing;
  useFileDrop((next) => {
    if (look.isPending || apply.isPending) return;
    again();
    setDropped(next);
  });
  const hasMap = !apply.data && (plan?.rows.some(({ place, ring }) => place ?? ring) ?? false);
  return (
    <FileDialog title="Import Configurations" size={hasMap ? 1180 : 820} onClosed={onClose}>
      {(close) => {
        if (apply.data) {
          const { heading, items } = resultParts(apply.data.msg.res_message);
          return <FileDone farmUID={farm._id} heading={heading} items={items} onClose={close} />;
        }
        if (plan) return <ImportPlanStep {...{ farm, importing, plan, notes, hasMap }} />;
        const failed = look.isError
          ? `File ${look.variables.filename} was not uploaded. ${errorText(look.error)}`
          : '';
        return (
          <ChooseFile
            file={dropped}
            isReading={look.isPending}
            failed={failed}
            onChosen={({ note, ...chosen }) => {
              setDropped(null);
              setNotes(note === '' ? [] : [note]);
              look.mutate({ farmUID: farm._id, ...chosen });
            }}
          />
        );
      }}
    </FileDialog>
  );
}
