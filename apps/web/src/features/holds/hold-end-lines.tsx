import type { Timezone } from '@headrace/contract/farms';
import type { HoldEnd } from '@headrace/contract/paddock-holds';
import { numberText } from '../../ui/format.ts';
import { endText, whyText } from './hold-labels.ts';
import classes from './holds.module.css';

/** Named one by one; more are counted. */
const NAMED = 20;

/** What the end of a hold did: how many may water again, and why the others don't. */
export function HoldEndLines({ end, total, zone }: { end: HoldEnd; total: number; zone: Timezone }) {
  const more = end.others.length - NAMED;
  return (
    <>
      <p>{endText(end, total)}.</p>
      {end.others.length > 0 && (
        <ul className={classes.others} aria-label="Do not water again">
          {end.others.slice(0, NAMED).map((unit) => (
            <li key={unit.uid}>
              {unit.name}: {whyText(unit, zone)}
            </li>
          ))}
          {more > 0 && <li>{numberText(more)} more</li>}
        </ul>
      )}
    </>
  );
}
