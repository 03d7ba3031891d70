import type { Timezone } from '@headrace/contract/farms';
import type { DiaryDay, DiaryFilter, DiaryLog, DiarySums } from '@headrace/contract/irr-diary';
import { outcomeLabels, reasonsText } from '@headrace/contract/rules/schedule/diary-texts';
import type { Outcome } from '@headrace/contract/rules/schedule/match-runs';
import { farmDay } from '../../time-range/period.ts';
import { dayText, minuteText, numberText } from '../../ui/format.ts';
import type { Condition } from '../../ui/tokens.ts';

export const filterNames: Record<DiaryFilter | 'all', string> = {
  troubles: 'Not as planned',
  all: 'All waterings',
  ...outcomeLabels,
};
export const outcomeSigns: Record<Outcome, Condition> = {
  watered: 'ok',
  short: 'caution',
  long: 'caution',
  late: 'caution',
  missed: 'issue',
  'not known': 'inhibited',
  'by hand': 'watering',
  unplanned: 'caution',
};

const isUnderWay = ({ reasons }: Pick<DiaryLog, 'reasons'>) => reasons.some(({ code }) => code === 'notOver');

/** What became of it, in a word or two. */
export function outcomeText(log: Pick<DiaryLog, 'outcome' | 'isKept' | 'reasons'>): string {
  if (isUnderWay(log)) return 'Under way';
  return log.isKept ? 'Kept from watering' : outcomeLabels[log.outcome];
}

/** "05:12", and which day where that is another than `day` (YYYY-MM-DD). */
function timeText(time: string, day: string, zone: Timezone): string {
  const at = Date.parse(time);
  const own = farmDay(zone, at);
  const minute = minuteText(at, zone);
  return own === day ? minute : `${minute} on ${dayText(own)}`;
}

/** "05:12 to 05:40"; null: nothing was planned. */
export function plannedText({ planned, day }: DiaryLog, zone: Timezone): string | null {
  if (!planned) return null;
  const times = `${timeText(planned.start, day, zone)} to ${timeText(planned.stop, day, zone)}`;
  return planned.isHeld ? times : `${times} by what was last sent`;
}

/** When it was open: "05:14 to about 05:40"; null: it isn't known to have been. */
export function openText(
  { basis, start, stop, minutes, bounds, day }: DiaryLog,
  zone: Timezone,
): string | null {
  if (basis === 'plan' || (minutes === 0 && bounds === null)) return null;
  const from = timeText(start, day, zone);
  if (stop === null) return `from ${from}`;
  const to = timeText(stop, day, zone);
  if (minutes === null) return `open at ${from}, closed at ${to}`;
  return `${from} to ${basis === 'believed' ? 'about ' : ''}${to}`;
}

const depthText = (mm: number) => numberText(mm, mm > 0 && mm < 10 ? 1 : 0);
const minutesText = (minutes: number) => numberText(minutes);

/** "27 min, 4.7 mm"; "about 26 min (0 to 346), 4.5 mm (0 to 60)"; "28 min planned". */
export function figuresText({ basis, minutes, mm, bounds, isPartSprinkler, isKept }: DiaryLog): string {
  if (basis === 'plan') return `${minutesText(minutes ?? 0)} min planned`;
  if (isKept) return 'no water';
  const part = isPartSprinkler ? ' as of a full circle' : '';
  if (minutes === null || mm === null)
    return bounds
      ? `${minutesText(bounds.minutes.least)} to ${minutesText(bounds.minutes.most)} min, ${depthText(bounds.mm.least)} to ${depthText(bounds.mm.most)} mm${part}`
      : 'not known';
  if (!bounds) return `${minutesText(minutes)} min, ${depthText(mm)} mm${part}`;
  const range = ({ least, most }: { least: number; most: number }, text: (value: number) => string) =>
    `(${text(least)} to ${text(most)})`;
  return `about ${minutesText(minutes)} min ${range(bounds.minutes, minutesText)}, ${depthText(mm)} mm ${range(bounds.mm, depthText)}${part}`;
}

/** Why it went as it did: "inhibited at 18:00 by Ann; it said closed at 05:31". Empty: nothing is known of why. */
export function whyText({ reasons, day }: Pick<DiaryLog, 'reasons' | 'day'>, zone: Timezone): string {
  return reasonsText(reasons, (time) => timeText(time, day, zone));
}

/** "928 of 930 watered; 1 missed, 1 not known; 20 kept from it" */
export function countsText({ planned, watered, kept, counts }: DiarySums): string {
  const others = (['missed', 'short', 'not known', 'unplanned'] as const)
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${numberText(counts[outcome])} ${outcomeLabels[outcome].toLowerCase()}`);
  const parts = [
    planned > 0 ? `${numberText(watered)} of ${numberText(planned)} watered` : 'None was to water',
    ...(others.length > 0 ? [others.join(', ')] : []),
    ...(kept > 0 ? [`${numberText(kept)} inhibited, held or out of service`] : []),
    ...(counts['by hand'] > 0 ? [`${numberText(counts['by hand'])} by hand`] : []),
  ];
  return parts.join('; ');
}

/** "5,9 m³", with what is possible where that is another: litres in the unit that reads best. A dash: nothing is known. */
export function volumeText({ least, believed, most }: DiarySums['litres']): string {
  const text = (litres: number) =>
    litres < 10_000 ? `${numberText(litres)} L` : `${numberText(litres / 1000)} m³`;
  if (believed === null) return most > 0 ? `– (up to ${text(most)})` : '–';
  return least === most || text(least) === text(most)
    ? text(believed)
    : `about ${text(believed)} (${text(least)} to ${text(most)})`;
}

/** "4.6 mm over 40 sprinklers" */
export const depthOverText = ({ meanMm, measured }: DiarySums): string | null =>
  meanMm === null
    ? null
    : `${depthText(meanMm)} mm over ${numberText(measured)} ${measured === 1 ? 'sprinkler' : 'sprinklers'}`;

/** "mean 4.6 mm over 40 sprinklers" */
export const meanText = (sums: DiarySums): string | null => {
  const depth = depthOverText(sums);
  return depth === null ? null : `mean ${depth}`;
};

export const evennessText = ({ evenness }: DiarySums): string | null =>
  evenness === null ? null : `evenness between sprinklers ${numberText(evenness, 2)}`;

/** What the meters of the farm say of the day. */
export const metersText = ({ meters }: DiaryDay): string =>
  meters
    .map(({ name, litres }) => `${name}: ${volumeText({ least: litres, believed: litres, most: litres })}`)
    .join(', ');

/** What a watering is called by when it was: "Last night", "Today", "Yesterday" or its date. Times in epoch ms. */
export function roundName(round: { startAt: string; endAt: string }, zone: Timezone, now: number): string {
  const [start, end] = [Date.parse(round.startAt), Date.parse(round.endAt)];
  const [today, startDay, endDay] = [farmDay(zone, now), farmDay(zone, start), farmDay(zone, end)];
  const yesterday = farmDay(zone, now - 86_400_000);
  if (startDay === today) return 'Today';
  if (endDay === today) return 'Last night';
  if (startDay === yesterday && endDay === yesterday) return 'Yesterday';
  return startDay === endDay ? dayText(startDay) : `${dayText(startDay)} to ${dayText(endDay)}`;
}
