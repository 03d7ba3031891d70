import type { Timezone } from '@headrace/contract/farms';
import type { Timeline } from '@headrace/contract/timeline';
import { ClockChangeNote } from '../../device-records/clock-change-note.tsx';
import { numberText } from '../../ui/format.ts';

interface SeamsProps {
  timeline: Pick<Timeline, 'seams' | 'flow'>;
  zone: Timezone;
  now: number;
}

const WEEK = 7 * 86_400_000;

/** Changes of the clock that are ahead, what they come to, and the two ways out; of one that was, who took the new time. */
export function Seams({ timeline: { seams, flow }, zone, now }: SeamsProps) {
  return seams.map((seam) => {
    const { at, clocks } = seam;
    if (clocks === null)
      return (
        <ClockChangeNote key={at} seam={seam} zone={zone}>
          {flowText(seam, flow.maxLps)}
        </ClockChangeNote>
      );
    if (clocks.set === clocks.total || now - at > WEEK) return null;
    return (
      <ClockChangeNote key={at} seam={seam} zone={zone} isOver>
        {clocksText(clocks)}
      </ClockChangeNote>
    );
  });
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
