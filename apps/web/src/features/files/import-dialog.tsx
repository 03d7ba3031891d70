import { useEffect, useEffectEvent, useState } from 'react';
import type { FarmCard } from '@headrace/contract/farms';
import { ApiError, errorText } from '../../api/client.ts';
import { ChooseFile } from './choose-file.tsx';
import { FileDialog, FileDone } from './file-dialog.tsx';
import { resultParts, suggestedType } from './import-labels.ts';
import { ImportPlanStep } from './import-plan.tsx';
import { typeOfName } from './read-file.ts';
import { type DroppedFile, useFileDrop } from './use-file-drop.ts';
import { type Importing, useImport } from './use-import.ts';

export interface ImportDialogProps {
  farm: FarmCard;
  /** The file that was dropped somewhere. */
  dropped?: DroppedFile | null;
  onClose: () => void;
}

/** A file is chosen or dropped, what it would do is looked at, and it is done: each step says what it knows. */
export function ImportDialog({ farm, dropped: first = null, onClose }: ImportDialogProps) {
  const [dropped, setDropped] = useState({ of: first, count: 0 });
  const importing = useImport(farm._id);
  const { look, apply, plan, undone, again } = importing;
  const lookAt = (next: File) => {
    const type = typeOfName(next.name);
    if (type !== null) look.mutate({ file: next, type, options: {} });
  };
  const lookAtFirst = useEffectEvent(() => first && lookAt(first.file));
  useEffect(() => {
    lookAtFirst();
  }, []);
  useFileDrop((next) => {
    if (look.isPending || apply.isPending) return;
    again();
    setDropped(({ count }) => ({ of: next, count: count + 1 }));
    lookAt(next.file);
  });
  const hasMap = !apply.data && (plan?.rows.some(({ place, ring }) => place ?? ring) ?? false);
  return (
    <FileDialog title="Import Configurations" size={hasMap ? 1180 : 820} onClosed={onClose}>
      {(close) => {
        if (apply.data) {
          const { heading, items } = resultParts(apply.data.msg.res_message);
          return <FileDone {...{ heading, items, undone }} farmUID={farm._id} onClose={close} />;
        }
        const taken = dropped.of?.isOneOfSeveral && (
          <p role="status">One file at a time: {dropped.of.file.name} was taken.</p>
        );
        if (plan)
          return (
            <>
              {taken}
              <ImportPlanStep {...{ farm, importing, plan, hasMap }} note={look.data?.note ?? ''} />
            </>
          );
        return (
          <>
            {taken}
            <ChooseFile
              key={dropped.count}
              farmName={farm.name}
              dropped={dropped.of?.file ?? null}
              reading={look.isPending ? look.variables.file.name : null}
              failed={failureOf(look)}
              suggested={suggestedType(look.error)}
              onSuggested={(type) => {
                const file = look.variables?.file;
                if (file) look.mutate({ file, type, options: {} });
              }}
              onChosen={(chosen, type, options) => {
                setDropped(({ count }) => ({ of: null, count }));
                look.mutate({ file: chosen, type, options });
              }}
            />
          </>
        );
      }}
    </FileDialog>
  );
}

/** What the server says of the file, or why it never got there. */
function failureOf({ error, variables }: Importing['look']): string {
  if (!error) return '';
  return error instanceof ApiError
    ? `File ${variables.file.name} was not uploaded. ${errorText(error)}`
    : error.message;
}
