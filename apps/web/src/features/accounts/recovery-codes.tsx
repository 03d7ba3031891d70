import { Button } from '@mantine/core';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { toast } from '../../ui/toasts.ts';
import classes from './second-step.module.css';

/** The one time that they can be read. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = codes.join('\n');
  const copy = async () => {
    if (await copyText(text)) toast.success('The recovery codes are copied.');
    else toast.error('This browser lets no page copy here: mark the text and copy it by hand.');
  };
  const save = () =>
    saveFile({
      name: 'headrace-recovery-codes.txt',
      content: new Blob([`Recovery codes of Headrace. Each works once.\n\n${text}\n`], {
        type: 'text/plain',
      }),
    });
  return (
    <Dialog title="Your recovery codes" onClose={onClose} size={560}>
      <p className={classes.text}>
        <strong>They are shown once.</strong> If your phone is lost, your password and one of these codes let
        you in. Keep them where you find them without your phone: on paper, or with your passwords.
      </p>
      <ol className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className={classes.row}>
        <PlainButton onClick={() => void copy()}>Copy</PlainButton>
        <PlainButton onClick={save}>Save as a file</PlainButton>
      </div>
      <Ways>
        <Button onClick={onClose}>I have kept them</Button>
      </Ways>
    </Dialog>
  );
}
