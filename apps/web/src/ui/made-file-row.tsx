import { errorText } from '../api/client.ts';
import { FileRow } from './file-rows.tsx';
import type { SavedFile } from './save-file.ts';
import { useMadeFile } from './use-made-file.ts';

export interface MadeFileRowProps {
  file: string;
  /** What is in it. */
  text: string;
  /** Whose it is, where other farms have one of that name. */
  of?: string;
  make: () => Promise<SavedFile>;
}

/** A file that the server makes. */
export function MadeFileRow({ file, text, of, make }: MadeFileRowProps) {
  const made = useMadeFile({ file, of, make, faultOf: errorText });
  return <FileRow {...{ file, text }} {...made} />;
}
