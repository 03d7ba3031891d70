import { useMutation } from '@tanstack/react-query';
import type { FirstRows } from '@headrace/contract/rules/files/first-rows';
import { errorText } from '../api/client.ts';
import { MadeFileRow, type MadeFileRowProps } from './made-file-row.tsx';
import { PlainButton } from './plain-button.tsx';
import { TablePreview } from './table-preview.tsx';
import classes from './file-rows.module.css';

/** Rows of a preview. */
const SHOWN = 8;

/** A table that is made: to look at how it begins, and to take along. */
export function TableFileRow(props: MadeFileRowProps) {
  const { file, make } = props;
  const preview = useMutation({ mutationFn: () => begin(make) });
  return (
    <>
      <MadeFileRow {...props} />
      <li className={classes.preview}>
        {preview.data ? (
          <TablePreview file={file} {...preview.data} />
        ) : (
          <PlainButton
            onClick={() => preview.mutate()}
            disabled={preview.isPending}
            label={`${preview.isPending ? 'Reading…' : 'Preview'} ${file}`}
          >
            {preview.isPending ? 'Reading…' : 'Preview'}
          </PlainButton>
        )}
        {preview.error && (
          <span role="alert" className={classes.failed}>
            {errorText(preview.error)}
          </span>
        )}
      </li>
    </>
  );
}

/** What reads a table is fetched once somebody looks at one. */
async function begin(make: MadeFileRowProps['make']): Promise<FirstRows> {
  const [{ content }, { firstRows }] = await Promise.all([
    make(),
    import('@headrace/contract/rules/files/first-rows'),
  ]);
  return firstRows(await content.text(), SHOWN);
}
