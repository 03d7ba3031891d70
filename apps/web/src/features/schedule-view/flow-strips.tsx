import { useState } from 'react';
import type { Timeline } from '@headrace/contract/timeline';
import { PlainButton } from '../../ui/plain-button.tsx';
import { FlowStrip, hoursOver } from './flow-strip.tsx';
import type { FlowStripProps } from './flow-strip.tsx';
import classes from './timeline.module.css';

type FlowStripsProps = Omit<FlowStripProps, 'flow' | 'name' | 'source'> & { flow: Timeline['flow'] };

/** More than these only where somebody wants to see them, the worst first. */
const SHOWN = 2;

/** The flow of the farm, and of each of its mains. */
export function FlowStrips({ flow, ...around }: FlowStripsProps) {
  const [isAll, setAll] = useState(false);
  const { mains, stepMin } = flow;
  const worstFirst = mains.toSorted((one, other) => hoursOver(other, stepMin) - hoursOver(one, stepMin));
  const shown = isAll ? worstFirst : worstFirst.slice(0, SHOWN);
  return (
    <>
      <FlowStrip {...around} name="Flow" source="pump" flow={flow} />
      {shown.map(({ name, maxLps, planned }) => (
        <FlowStrip
          key={name}
          {...around}
          name={name}
          source="main"
          flow={{ planned, maxLps, stepMin, meters: [], notIn: 0 }}
        />
      ))}
      {mains.length > SHOWN && (
        <p className={classes.moreMains}>
          <PlainButton onClick={() => setAll(!isAll)}>
            {isAll ? 'Fewer mains' : `All ${mains.length} mains`}
          </PlainButton>
        </p>
      )}
    </>
  );
}
