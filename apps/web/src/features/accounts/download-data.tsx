import { useMutation } from '@tanstack/react-query';
import { call, errorText } from '../../api/client.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { toast } from '../../ui/toasts.ts';
import classes from './account.module.css';

/** Everything that is kept about the person, as a file. */
export function DownloadPanel() {
  const download = useMutation({
    mutationFn: () => call('GET /account/data'),
    onSuccess: (data) => saveFile('headrace-account.json', JSON.stringify(data, null, 2)),
    onError: (error) => toast.error(errorText(error)),
  });
  return (
    <section className={classes.panel}>
      <h2>My data</h2>
      <p>Everything that is kept about your account, in one file (JSON).</p>
      <PlainButton onClick={() => download.mutate()} disabled={download.isPending}>
        {download.isPending ? 'Collecting…' : 'Download my data'}
      </PlainButton>
    </section>
  );
}

function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
