import type { WateringProof } from '@headrace/contract/irr-diary';
import { writeCsv } from '@headrace/contract/rules/files/write-csv';
import { countText } from '@headrace/contract/rules/number-text';
import { type Made, paperOf, type Report, stamp, stampInZone } from '../made.ts';
import { numberText } from '../numbers.ts';
import type { Fact, Part } from '../paper.ts';
import { figureColumns, figuresOf, troubleTable, waterText } from './diary-tables.ts';

export interface ProofData {
  readonly proof: WateringProof;
  /** When the server told it, epoch ms. */
  readonly knownAt: number;
}

const TITLE = 'Proof of watering';
/** On what the figures rest: a reader must not take them for measured in the field. */
const BASIS =
  'Watered: the sprinkler said that its valve was open for at least 90 % of the minutes that were planned. Depth and volume are reckoned from those minutes at the rates that are set for the farm. Not known: nothing was heard that tells; it may have watered.';

/** The last watering that is over, by line: what was planned, what sprinklers said of it, and what went otherwise and why. */
export function proofReport({ proof, knownAt }: ProofData, made: Made): Report {
  const { round, lines } = proof;
  const parts: Part[] = round
    ? [
        { kind: 'facts', facts: factsOf(proof, knownAt, made) },
        { kind: 'text', text: BASIS },
        ...linesOf(proof),
        ...troublesOf(proof, made),
      ]
    : [{ kind: 'text', text: 'Nothing was to water in the last week, as far as is known.' }];
  const period = round && `${timeOf(round.startAt, made)} – ${timeOf(round.endAt, made)}`;
  const csv = writeCsv([
    [
      'line',
      'planned',
      'watered',
      'missed',
      'short',
      'not_known',
      'kept',
      'mean_mm',
      'litres',
      'litres_least',
      'litres_most',
    ],
    ...lines.map(({ name, planned, watered, counts, kept, meanMm, litres }) => [
      name,
      planned,
      watered,
      counts.missed,
      counts.short,
      counts['not known'],
      kept,
      meanMm,
      litres.believed,
      litres.least,
      litres.most,
    ]),
  ]);
  return { paper: paperOf(made, { title: TITLE, ...(period && { period }), parts }), csv };
}

const timeOf = (time: string, { zone }: Made) => stamp(Date.parse(time), zone);

function factsOf(proof: WateringProof, knownAt: number, { zone }: Made): Fact[] {
  const { planned, watered, counts, kept, litres } = proof;
  return [
    ['Watered', `${numberText(watered)} of ${numberText(planned)} planned`],
    ['Missed, short', `${numberText(counts.missed)}, ${numberText(counts.short)}`],
    ['Not known', numberText(counts['not known'])],
    ['Unplanned, by hand', `${numberText(counts.unplanned)}, ${numberText(counts['by hand'])}`],
    ['Kept from it', `${numberText(kept)} inhibited, held or out of service`],
    ['Water', waterText([litres])],
    ['Known as of', stampInZone(knownAt, zone)],
  ];
}

function linesOf({ lines }: WateringProof): Part[] {
  return [
    { kind: 'heading', text: 'By line' },
    {
      kind: 'table',
      summary: 'What each line was to water, and did',
      columns: [{ title: 'LINE', isRowHead: true }, ...figureColumns],
      rows: lines.map((line) => [line.name || 'Without a line', ...figuresOf(line)]),
    },
  ];
}

function troublesOf({ troubles, counts }: WateringProof, { zone }: Made): Part[] {
  const heading: Part = { kind: 'heading', text: 'Not as planned' };
  if (troubles.length === 0)
    return [heading, { kind: 'text', text: 'Nothing: all was watered as planned, or kept from it.' }];
  const { missed, short, unplanned, late, long } = counts;
  const rest = missed + short + unplanned + late + long + counts['not known'] - troubles.length;
  const more: Part = {
    kind: 'text',
    text: `${countText(rest, 'more watering')} went otherwise than planned: the CSV of each sprinkler has all of them.`,
  };
  return [heading, troubleTable(troubles, zone), ...(rest > 0 ? [more] : [])];
}
