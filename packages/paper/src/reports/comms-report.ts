import type { CommsUnit, SprinklerComms } from '@headrace/contract/health';
import { percentOf } from '@headrace/contract/rules/health-figures';
import { writeCsv } from '@headrace/contract/rules/files/write-csv';
import { countText } from '@headrace/contract/rules/number-text';
import { shareBar } from '../charts/share-bar.ts';
import { type Made, paperOf, type Report, stamp, stampInZone } from '../made.ts';
import { numberText, percentText } from '../numbers.ts';
import type { Fact, Part } from '../paper.ts';

export interface CommsData {
  readonly comms: SprinklerComms;
  /** When the server told it, epoch ms. */
  readonly knownAt: number;
}

const lists = [
  { member: 'outOfContact', label: 'Out of contact', what: 'not heard for more than 30 days, or never' },
  { member: 'occasional', label: 'Occasional', what: 'heard within 30 days, not within 7' },
  { member: 'outOfService', label: 'Out of service', what: 'spares among them' },
] as const;

interface CommsRow {
  readonly name: string;
  readonly serialNumber: string;
  readonly statusTime: string;
}

const rowsOf = (units: readonly CommsUnit[], { zone }: Made): CommsRow[] =>
  units.map(({ name, serialNumber, statusTime }) => ({
    name,
    serialNumber,
    statusTime: stamp(statusTime === null ? null : Date.parse(statusTime), zone),
  }));

const TITLE = 'Sprinkler Communications';

/** How regularly a farm's sprinklers are heard, and which are not, the longest silence first. */
export function commsReport({ comms, knownAt }: CommsData, made: Made): Report {
  const told = lists.map((list) => ({ ...list, rows: rowsOf(comms.units[list.member], made) }));
  const parts: Part[] = [
    { kind: 'facts', facts: factsOf(comms, knownAt, made) },
    ...sharesOf(comms),
    ...told.flatMap(({ label, what, rows }) => listParts(label, what, rows)),
  ];
  const csv = writeCsv([
    ['contact', 'name', 'serialNumber', 'statusTime'],
    ...told.flatMap(({ label, rows }) =>
      rows.map(({ name, serialNumber, statusTime }) => [label, name, serialNumber, statusTime]),
    ),
  ]);
  return { paper: paperOf(made, { title: TITLE, parts }), csv };
}

function factsOf(
  { total, regular, occasional, outOfContact, cause, silent }: SprinklerComms,
  knownAt: number,
  { zone }: Made,
): Fact[] {
  const facts: Fact[] = [
    ['Total', `${numberText(total)} in service`],
    ['Known as of', stampInZone(knownAt, zone)],
    ['Regular', `${numberText(regular)}, heard within 7 days`],
    ['Occasional', `${numberText(occasional)}, within 30 days`],
    ['Out of contact', `${numberText(outOfContact)}, more than 30 days or never`],
    ['Silent for a day', countText(silent, 'sprinkler')],
  ];
  if (cause)
    facts.push([
      'In common',
      `${numberText(cause.units)} of them: ${cause.kind} ${cause.name}, last heard ${stampInZone(Date.parse(cause.heardAt), zone)}`,
    ]);
  return facts;
}

function sharesOf({ total, regular, occasional, outOfContact }: SprinklerComms): Part[] {
  if (total === 0) return [{ kind: 'text', text: 'The farm has no sprinklers in service.' }];
  // Never rounded up to all, and never down to none.
  const share = (n: number) => {
    const percent = percentOf(n, total);
    return n > 0 && percent === 0 ? 'less than 0.1 %' : percentText(percent);
  };
  return [
    {
      kind: 'figure',
      words: `Of ${countText(total, 'sprinkler')} ${share(regular)} are heard regularly, ${share(occasional)} occasionally, and ${share(outOfContact)} are out of contact.`,
      drawing: shareBar([
        { label: 'Regular', count: regular, mark: 'ok' },
        { label: 'Occasional', count: occasional, mark: 'caution' },
        { label: 'Out of contact', count: outOfContact, mark: 'issue' },
      ]),
    },
  ];
}

function listParts(label: string, what: string, rows: readonly CommsRow[]): Part[] {
  const heading: Part = { kind: 'heading', text: `${label}: ${what}` };
  if (rows.length === 0) return [heading, { kind: 'text', text: 'None.' }];
  return [
    heading,
    {
      kind: 'table',
      summary: `Sprinklers that are ${label.toLowerCase()}, the longest silence first`,
      columns: [
        { title: 'NAME', isRowHead: true },
        { title: 'SERIAL NUMBER' },
        { title: 'STATUS TIME', isLong: true },
      ],
      rows: rows.map(({ name, serialNumber, statusTime }) => [name, serialNumber, statusTime]),
    },
  ];
}
