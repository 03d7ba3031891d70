import { copyText } from '../../ui/copy-text.ts';
import { toast } from '../../ui/toasts.ts';

export async function copySiteUid(uid: string): Promise<void> {
  if (await copyText(uid)) toast.success('Site UID Copied!');
  else toast.error(`The site UID couldn't be copied: it is ${uid}.`);
}
