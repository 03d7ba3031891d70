import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { download, errorText } from '../../api/client.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { RoomNote } from '../../ui/room-note.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { toast } from '../../ui/toasts.ts';
import { accountUsageQuery } from './account.queries.ts';
import classes from './account.module.css';

/** Everything that is kept about the person, as a file. */
export function DownloadPanel() {
  const queryClient = useQueryClient();
  // Without it the page goes on: the refusal says the same.
  const usage = useQuery(accountUsageQuery).data;
  const data = useMutation({
    mutationFn: () => download('GET /account/data'),
    onSuccess: saveFile,
    onError: (error) => toast.error(errorText(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: accountUsageQuery.queryKey }),
  });
  return (
    <section className={classes.panel}>
      <h2>My data</h2>
      <p>Everything that is kept about your account, in one file (JSON).</p>
      {usage && (
        <RoomNote
          left={usage.files.limit - usage.files.today}
          limit={usage.files.limit}
          what="files that an account may have made a day"
          moreAt={usage.resetsAt}
        />
      )}
      <PlainButton onClick={() => data.mutate()} disabled={data.isPending}>
        {data.isPending ? 'Collecting…' : 'Download my data'}
      </PlainButton>
    </section>
  );
}
