import { useMutation } from '@tanstack/react-query';
import { download, errorText } from '../../api/client.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { toast } from '../../ui/toasts.ts';
import classes from './account.module.css';

/** Everything that is kept about the person, as a file. */
export function DownloadPanel() {
  const data = useMutation({
    mutationFn: () => download('GET /account/data'),
    onSuccess: saveFile,
    onError: (error) => toast.error(errorText(error)),
  });
  return (
    <section className={classes.panel}>
      <h2>My data</h2>
      <p>Everything that is kept about your account, in one file (JSON).</p>
      <PlainButton onClick={() => data.mutate()} disabled={data.isPending}>
        {data.isPending ? 'Collecting…' : 'Download my data'}
      </PlainButton>
    </section>
  );
}

function saveFile({ name, content }: { name: string; content: Blob }): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
