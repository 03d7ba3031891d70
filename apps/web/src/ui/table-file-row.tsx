import { useMutation } from '@tanstack/react-query';
import type { FirstRows } from '@headrace/contract/rules/files/first-rows';
import { errorText } from '../api/client.ts';
import { numberText } from './format.ts';
import { MadeFileRow, type MadeFileRowProps } from './made-file-row.tsx';
import { PlainButton } from './plain-button.tsx';
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
          <Preview file={file} {...preview.data} />
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

function Preview({ file, heads, rows, isCut }: FirstRows & { file: string }) {
  if (rows.length === 0) return <p className={classes.none}>The table has no rows.</p>;
  return (
    // Wider than a phone: whoever has no finger scrolls it by its keys.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={classes.scrolled} tabIndex={0} aria-label={`Preview of ${file}`}>
      <table className="num">
        <caption>{isCut ? `The first ${numberText(rows.length)} rows` : 'All rows'}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head.replaceAll('_', ' ')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, nth) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows have no other name, and never change
            <tr key={nth}>
              {heads.map((head, n) => (
                <td key={head}>{row[n]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
