import type { Timezone } from '@headrace/contract/farms';
import type { Timeline } from '@headrace/contract/timeline';
import { ClockChangeNote } from '../../device-records/clock-change-note.tsx';
import { numberText } from '../../ui/format.ts';

interface SeamsProps {
  timeline: Pick<Timeline, 'seams' | 'flow'>;
  zone: Timezone;
  now: number;
}

/** Changes of the clock that are ahead, what they come to, and the two ways out. */
export function Seams({ timeline: { seams, flow }, zone, now }: SeamsProps) {
  return seams
    .filter(({ at }) => at > now)
    .map((seam) => (
      <ClockChangeNote key={seam.at} seam={seam} zone={zone}>
        {flowText(seam, flow.maxLps)}
      </ClockChangeNote>
    ));
}

function flowText({ fromMin, toMin, peakLps }: Timeline['seams'][number], maxLps: number | null): string {
  if (peakLps === 0 || toMin < fromMin) return '';
  const pump = maxLps === null ? '' : `; the pump gives ${numberText(maxLps, 1)}`;
  return `Up to ${numberText(peakLps, 1)} L/s are planned in the two hours from then on${pump}. If that is too much, send a second set for that night, or keep standard time all year in the farm's settings.`;
}
