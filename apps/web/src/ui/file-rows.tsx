import type { ReactNode } from 'react';
import { PlainButton } from './plain-button.tsx';
import { notCreatedText } from './use-made-file.ts';
import classes from './file-rows.module.css';

/** Files that can be made, one below the other. */
export const FileRows = ({ children }: { children: ReactNode }) => (
  <ul className={classes.files}>{children}</ul>
);

export interface FileRowProps {
  file: string;
  /** What is in it. */
  text: string;
  isPending: boolean;
  /** Why it was not made. */
  fault: string | null;
  onMake: () => void;
}

/** A note that stays, and not a toast: who has downloaded three files sees which one is missing. */
export function FileRow({ file, text, isPending, fault, onMake }: FileRowProps) {
  return (
    <li className={classes.file}>
      <div className={classes.about}>
        <strong>{file}</strong>
        <span>{text}</span>
        {fault !== null && (
          <span role="alert" className={classes.failed}>
            {notCreatedText(file, fault)}
          </span>
        )}
      </div>
      <PlainButton
        onClick={onMake}
        disabled={isPending}
        label={`${isPending ? 'Creating…' : 'Download'} ${file}`}
      >
        {isPending ? 'Creating…' : 'Download'}
      </PlainButton>
    </li>
  );
}
