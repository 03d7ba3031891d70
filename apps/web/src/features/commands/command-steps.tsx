import type { CommandStep } from '@headrace/contract/commands';
import type { Timezone } from '@headrace/contract/farms';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { secondText } from './command-times.ts';
import { stepLabel } from './command-labels.ts';
import classes from './command-drawer.module.css';

const ROW_PX = 58;

/** Every step of a command in the order in which it happened. */
export function CommandSteps({ steps, zone }: { steps: readonly CommandStep[]; zone: Timezone }) {
  if (steps.length === 0) return <p className={classes.none}>No step yet.</p>;
  return (
    // Steps have no name of their own, and their order never changes.
    <VirtualList
      label="Steps"
      items={steps}
      rowPx={ROW_PX}
      keyOf={(_step, place) => String(place)}
      scroller="around"
    >
      {({ at, state, name, note }) => (
        <div className={classes.step}>
          <time className={classes.dim} dateTime={at}>
            {secondText(Date.parse(at), zone)}
          </time>
          <span className={classes.stepWhat}>
            {name !== null && <b>{name}: </b>}
            {stepLabel(state)}
          </span>
          <span className={classes.stepNote}>{note}</span>
        </div>
      )}
    </VirtualList>
  );
}
