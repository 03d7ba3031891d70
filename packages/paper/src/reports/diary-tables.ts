import type { DiaryLog, DiarySums } from '@headrace/contract/irr-diary';
import { farmOffsetSeconds } from '@headrace/contract/rules/farm-time';
import { outcomeLabels, reasonsText } from '@headrace/contract/rules/schedule/diary-texts';
import { DASH, dayText, type Made, stamp } from '../made.ts';
import { numberText } from '../numbers.ts';
import type { Cell, Mark, Part } from '../paper.ts';

const cubicMetres = (litres: number | null) => (litres === null ? null : litres / 1000);

/** "16 m³, possibly 16 to 23"; a dash in the place of what nothing is known of. */
export function waterText(all: readonly DiarySums['litres'][]): string {
  const sum = (of: (litres: DiarySums['litres']) => number) =>
    numberText(cubicMetres(all.reduce((total, litres) => total + of(litres), 0)));
  const [least, most] = [sum((litres) => litres.least), sum((litres) => litres.most)];
  const isKnown = all.some(({ believed }) => believed !== null);
  const believed = isKnown ? `${sum((litres) => litres.believed ?? 0)} m³` : DASH;
  if (!isKnown) return `${believed}, possibly up to ${most} m³`;
  return least === most ? believed : `${believed}, possibly ${least} to ${most}`;
}

/** What waterings came to, in columns. */
export const figureColumns = [
  { title: 'PLANNED', isNumber: true },
  { title: 'WATERED', isNumber: true },
  { title: 'MISSED', isNumber: true },
  { title: 'SHORT', isNumber: true },
  { title: 'NOT KNOWN', isNumber: true },
  { title: 'KEPT', isNumber: true },
  { title: 'MEAN MM', isNumber: true },
  { title: 'M³', isNumber: true },
] as const;

export const figuresOf = ({ planned, watered, counts, kept, meanMm, litres }: DiarySums): Cell[] => [
  ...[planned, watered, counts.missed, counts.short, counts['not known'], kept].map((n) => numberText(n)),
  numberText(meanMm, 1),
  numberText(cubicMetres(litres.believed), 2),
];

const marks: Readonly<Record<DiaryLog['outcome'], Mark>> = {
  watered: 'ok',
  short: 'caution',
  long: 'caution',
  late: 'caution',
  missed: 'issue',
  'not known': 'inhibited',
  'by hand': 'watering',
  unplanned: 'caution',
};

/** What went otherwise than planned, with why. */
export const troubleTable = (troubles: readonly DiaryLog[], zone: Made['zone']): Part => ({
  kind: 'table',
  summary: 'Waterings that went otherwise than planned, with why',
  columns: [
    { title: 'OUTCOME' },
    { title: 'SPRINKLER', isRowHead: true },
    { title: 'GROUP' },
    { title: 'DAY' },
    { title: 'PLANNED' },
    { title: 'MIN', isNumber: true },
    { title: 'WHY', isLong: true },
  ],
  rows: troubles.map((log) => troubleRow(log, zone)),
});

function troubleRow(
  { outcome, sprinkler, group, day, planned, minutes, basis, reasons }: DiaryLog,
  zone: Made['zone'],
): Cell[] {
  const clock = (time: string) => stamp(Date.parse(time), zone).slice(11);
  /** With its day where that is another. */
  const timeOf = (time: string) => {
    const at = Date.parse(time);
    const own = new Date(at + farmOffsetSeconds(zone, at) * 1000).toISOString().slice(0, 10);
    return own === day ? clock(time) : `${clock(time)} on ${dayText(own)}`;
  };
  return [
    { text: outcomeLabels[outcome], mark: marks[outcome] },
    sprinkler,
    group,
    dayText(day),
    planned ? `${clock(planned.start)} – ${clock(planned.stop)}` : '–',
    basis === 'plan' ? '–' : numberText(minutes),
    reasonsText(reasons, timeOf),
  ];
}
