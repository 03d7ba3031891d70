import type { Timezone } from '@headrace/contract/farms';
import type { Timeline } from '@headrace/contract/timeline';
import { ClockChangeNote, NoteLine } from '../../device-records/clock-change-note.tsx';
import { numberText } from '../../ui/format.ts';
import { weekday } from '../../ui/weekday.ts';

interface SeamsProps {
  timeline: Pick<Timeline, 'seams' | 'clockSet' | 'flow'>;
  zone: Timezone;
  now: number;
}

const WEEK = 7 * 86_400_000;

/** Changes of the clock that are ahead, what they come to, and the two ways out; of one that was, who took the new time. */
export const Seams = ({ timeline: { seams, clockSet, flow }, zone, now }: SeamsProps) => (
  <>
    {clockSet && <NoteLine>{clockSetText(clockSet, zone)}</NoteLine>}
    {seams.map((seam) => (
      <Seam key={seam.at} seam={seam} zone={zone} now={now} maxLps={flow.maxLps} />
    ))}
  </>
);

interface SeamProps extends Omit<SeamsProps, 'timeline'> {
  seam: Timeline['seams'][number];
  maxLps: number | null;
}

function Seam({ seam, zone, now, maxLps }: SeamProps) {
  const { at, clocks } = seam;
  if (clocks === null)
    return (
      <ClockChangeNote seam={seam} zone={zone}>
        {flowText(seam, maxLps)}
      </ClockChangeNote>
    );
  if (clocks.set === clocks.total || now - at > WEEK) return null;
  return (
    <ClockChangeNote seam={seam} zone={zone} isOver>
      {clocksText(clocks)}
    </ClockChangeNote>
  );
}

/** Units keep times of the day: what somebody sets the farm's clock to is their clock too. */
function clockSetText({ at, from, to, units }: NonNullable<Timeline['clockSet']>, zone: Timezone): string {
  const who =
    units === 1
      ? '1 sprinkler was sent its schedule'
      : `${numberText(units)} sprinklers were sent their schedules`;
  return `The farm's clock was changed on ${weekday(at, zone)} (${from} → ${to}), after ${who}. Waterings stay at their times of day, by the new clock: other hours than those that were planned. Send the schedules again once they are right.`;
}

/** Units report their clocks a few times a day: who is silent may long go by the new time. */
function clocksText({ total, set, off, unheard }: NonNullable<Timeline['seams'][number]['clocks']>): string {
  const parts = [
    `${numberText(set)} of ${numberText(total)} clocks set`,
    ...(off > 0 ? [`${numberText(off)} ${off === 1 ? 'goes' : 'go'} by another time`] : []),
    ...(unheard > 0 ? [`${numberText(unheard)} not heard of since`] : []),
  ];
  return `${parts.join(', ')}. Sprinklers tell their clocks a few times a day.`;
}

function flowText({ fromMin, toMin, peakLps }: Timeline['seams'][number], maxLps: number | null): string {
  if (peakLps === 0 || toMin < fromMin) return '';
  const pump = maxLps === null ? '' : `; the pump gives ${numberText(maxLps, 1)}`;
  return `Up to ${numberText(peakLps, 1)} L/s are planned in the two hours from then on${pump}. If that is too much, send a second set for that night, or keep standard time all year in the farm's settings.`;
}
