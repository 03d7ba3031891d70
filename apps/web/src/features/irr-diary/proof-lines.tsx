import type { DiarySums, WateringProof } from '@headrace/contract/irr-diary';
import { numberText } from '../../ui/format.ts';
import { usePrinted } from '../../ui/use-printed.ts';
import { countsText, depthOverText, volumeText } from './diary-labels.ts';
import classes from './diary.module.css';

type Lines = WateringProof['lines'];

/** Few enough to be read at a glance: those that went as planned need not be folded. */
const FEW = 8;

/** What each line came to. Of many, those that did not go as planned are on top and the others can be opened. */
export function ProofLines({ lines }: { lines: Lines }) {
  const troubled = lines.filter((line) => !isAsPlanned(line));
  const others = lines.filter(isAsPlanned);
  const isPrinted = usePrinted();
  if (lines.length <= FEW || others.length === 0) return <LinesTable lines={lines} caption="By line" />;
  return (
    <>
      {troubled.length > 0 && (
        <LinesTable lines={troubled} caption="Lines that went otherwise than planned" />
      )}
      <details className={classes.others} open={isPrinted || undefined}>
        <summary>
          {troubled.length === 0
            ? `All ${numberText(others.length)} lines as planned`
            : `${numberText(others.length)} ${others.length === 1 ? 'line' : 'lines'} as planned`}
        </summary>
        <LinesTable lines={others} caption="Lines that went as planned" />
      </details>
    </>
  );
}

const isAsPlanned = ({ planned, watered, counts }: DiarySums) =>
  watered === planned && counts.late + counts.long + counts.unplanned === 0;

function LinesTable({ lines, caption }: { lines: Lines; caption: string }) {
  return (
    <table className={classes.lines}>
      <caption className={classes.caption}>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Line</th>
          <th scope="col">Watered</th>
          <th scope="col">Mean depth</th>
          <th scope="col">Evenness between sprinklers</th>
          <th scope="col">Water</th>
        </tr>
      </thead>
      <tbody className="num">
        {lines.map((line) => (
          <tr key={line.name}>
            <th scope="row">{line.name || 'Without a line'}</th>
            <td>{countsText(line)}</td>
            <td data-label="Mean depth">{depthOverText(line) ?? 'not known'}</td>
            <td data-label="Evenness between sprinklers">
              {line.evenness === null ? 'not known' : numberText(line.evenness, 2)}
            </td>
            <td data-label="Water">{volumeText(line.litres)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
