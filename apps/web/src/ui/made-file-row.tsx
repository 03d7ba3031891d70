import { useMutation } from '@tanstack/react-query';
import { errorText } from '../api/client.ts';
import { FileRow } from './file-rows.tsx';
import { type SavedFile, saveFile } from './save-file.ts';

export interface MadeFileRowProps {
  file: string;
  /** What is in it. */
  text: string;
  make: () => Promise<SavedFile>;
}

/** A file that the server makes. Whoever leaves meanwhile gets it all the same. */
export function MadeFileRow({ file, text, make }: MadeFileRowProps) {
  const made = useMutation({ mutationFn: make, onSuccess: saveFile });
  return (
    <FileRow
      {...{ file, text }}
      isPending={made.isPending}
      fault={made.error && errorText(made.error)}
      onMake={() => made.mutate()}
    />
  );
}
