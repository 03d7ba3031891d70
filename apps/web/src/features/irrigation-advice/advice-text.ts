import type { Timezone } from '@headrace/contract/farms';
import type { GroupAdvice, IrrigationAdvice, LedgerDay } from '@headrace/contract/irrigation-advice';
import { dayText, minuteText, numberText } from '../../ui/format.ts';
import type { Condition } from '../../ui/tokens.ts';

export const mmText = (mm: number): string => `${numberText(mm, mm > 0 && mm < 10 ? 1 : 0)} mm`;
export const shareText = (share: number): string => `${numberText(share * 100)} %`;
const cyclesText = (n: number) => (n === 1 ? '1 cycle' : `${numberText(n)} cycles`);

/** What to do now, in a few words. */
export function adviceTitle(group: GroupAdvice, zone: Timezone): string {
  const { advice, state } = group;
  if (state === 'noSprinklers') return 'No sprinklers';
  if (!advice) return 'Not known';
  if (advice.cycles === 0) return 'No water now';
  if (advice.heldBackUntil !== null)
    return `Wait until ${minuteText(Date.parse(advice.heldBackUntil), zone)} tomorrow`;
  return `Give ${cyclesText(advice.cycles)}, ${mmText(advice.mm)}`;
}

export function adviceSign({ advice, state }: GroupAdvice): Condition {
  if (!advice) return state === 'noSprinklers' ? 'inhibited' : 'caution';
  return advice.cycles > 0 && advice.heldBackUntil === null ? 'watering' : 'ok';
}

/** Why, as sentences. */
export function adviceReasons(group: GroupAdvice): string[] {
  const { advice, state, stateDay, soil, cycle, depletionMm } = group;
  if (!advice || depletionMm === null) return [missingText(state, stateDay)].filter(Boolean);
  return [
    ...(advice.isByProbe ? [`The probe says that it is dry; the balance does not.`] : []),
    ...dueTexts(group),
    ...(advice.heldBackUntil !== null && advice.rainAheadMm !== null
      ? [
          `${cyclesText(advice.cycles)} would be due, and ${mmText(advice.rainAheadMm)} of rain are still forecast for today and tomorrow. If less falls, it is due again.`,
        ]
      : []),
    ...(advice.leastCycles === advice.cycles || group.leastMm === null
      ? []
      : [
          `Not sure: if the sprinklers that were not heard watered, it lacks ${mmText(group.leastMm)} and ${advice.leastCycles === 0 ? 'nothing is due' : `${cyclesText(advice.leastCycles)} would do`}.`,
        ]),
    ...(advice.cycles > 0
      ? [
          `A cycle gives ${mmText(cycle.mm)}, ${mmText(cycle.mm * soil.efficiency)} of it to the roots; filled up to ${shareText(soil.targetShare)}.`,
        ]
      : []),
  ];
}

function dueTexts({ advice, cycle, soil, fullness }: GroupAdvice): string[] {
  if (!advice || fullness === null) return [];
  const trigger = `${shareText(soil.triggerShare)}, at which to irrigate`;
  const isBelow = advice.fullnessAtLastTurn <= soil.triggerShare;
  if (cycle.days === 0) return [`It is ${isBelow ? 'at or below' : 'above'} ${trigger}.`];
  const days = cycle.days === 1 ? 'a day' : `${numberText(cycle.days)} days`;
  return [
    `When the last sprinkler has its turn, in ${days}, it would be ${shareText(advice.fullnessAtLastTurn)} of full: ${isBelow ? 'at or below' : 'above'} ${trigger}.`,
  ];
}

function missingText(state: GroupAdvice['state'], day: string | null): string {
  const of = day === null ? '' : ` of ${dayText(day)}`;
  switch (state) {
    case 'noStart':
      return 'Nobody has said yet what the soil lacked on any evening: enter it, or on which it was full.';
    case 'noEt0':
      return `What the crop used${of} is not known: no forecast told it. Enter it, or a usual one for the farm.`;
    case 'noIrrigation':
      return `The irrigation${of} is still being reckoned. It shows here by itself, within the hour at the latest.`;
    case 'noSprinklers':
      return 'The group has no sprinklers in service.';
    case 'advised':
      return '';
    default:
      return state satisfies never;
  }
}

/** "Tomorrow 70 % (none), Tuesday 62 % (2 cycles)" */
export function outlookTexts({ advice }: GroupAdvice): string[] {
  return (advice?.outlook ?? []).map(({ day, fullness, depletionMm, cycles }, index) => {
    const name = index === 0 ? 'Tomorrow' : weekday.format(Date.parse(`${day}T00:00:00Z`));
    const due = cycles === 0 ? 'nothing due' : `${cyclesText(cycles)} due`;
    return `${name}: lacks ${mmText(depletionMm)}, ${shareText(fullness)} of full, ${due}`;
  });
}

const weekday = new Intl.DateTimeFormat('en-NZ', { weekday: 'long', timeZone: 'UTC' });

const fromLabels = {
  group: 'entered for this group',
  farm: 'entered for the farm',
  default: 'defaults: nobody entered others',
} as const;

/** What the soil is, and where that comes from. */
export function soilText({ soil, soilFrom, tawMm }: GroupAdvice): string {
  return `${mmText(tawMm)} when full (${numberText(soil.awcMmPerM)} mm/m over ${numberText(soil.rootM, 2)} m of roots), Kc ${numberText(soil.kc, 2)}, ${shareText(soil.easyShare)} without effort, efficiency ${shareText(soil.efficiency)} (${fromLabels[soilFrom]})`;
}

/** What is not known of the time that the balance reaches over; empty: all is. */
export function gapsText({ notKnown, rainNotKnown }: GroupAdvice): string {
  const parts = [
    ...(notKnown > 0
      ? [
          `${numberText(notKnown)} ${notKnown === 1 ? 'watering' : 'waterings'} not known, counted as the least ${notKnown === 1 ? 'it' : 'they'} gave`,
        ]
      : []),
    ...(rainNotKnown > 0
      ? [
          `rain of ${numberText(rainNotKnown)} ${rainNotKnown === 1 ? 'day' : 'days'} not known, counted as dry`,
        ]
      : []),
  ];
  return parts.join('; ');
}

/** Whose weather it is. */
export function et0Text({ weather, settings }: IrrigationAdvice): string {
  const usual = settings.usualEt0Mm;
  if (!weather && usual === null) return 'No weather source is set up: what the crop uses has to be entered';
  if (!weather) return `No weather source is set up: ${mmText(usual ?? 0)} a day, as entered`;
  return weather.source;
}

const sources = { entered: 'entered', forecast: 'forecast', usual: 'usual', gauge: 'gauge' } as const;
export const valueText = (mm: number | null, from: keyof typeof sources | null): string =>
  mm === null ? 'not known' : `${numberText(mm, 1)}${from === null ? '' : ` ${sources[from]}`}`;

/** What was advised on a day. */
export function advisedText({ advised }: LedgerDay): string {
  if (!advised) return '';
  if (advised.cycles === 0) return 'no water';
  return `${cyclesText(advised.cycles)}, ${mmText(advised.mm)}${advised.isHeldBack ? ', held back for rain' : ''}`;
}
