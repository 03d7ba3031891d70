import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { HELD_BACK_DAYS, type HeldBack as Held } from '@headrace/contract/notification-ways';
import { heldBackTexts } from '@headrace/contract/rules/alerts/held-back';
import { durationText } from '@headrace/contract/rules/contact';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { heldBackQuery } from './notifications.queries.ts';
import classes from './notifications.module.css';

/** What one was told in the bell alone, though one wants it by other ways, and why. */
export function HeldBack() {
  return (
    <section className={classes.section} aria-labelledby="held-back">
      <h3 id="held-back" className={classes.sectionTitle}>
        What was held back
      </h3>
      <StateView
        query={useQuery(heldBackQuery)}
        skeleton={<Skeleton blocks={1} blockPx={64} />}
        failed="What was held back couldn't be loaded"
      >
        {({ heldBack, more }) => <Listed heldBack={heldBack} more={more} />}
      </StateView>
    </section>
  );
}

function Listed({ heldBack, more }: { heldBack: readonly Held[]; more: boolean }) {
  if (heldBack.length === 0)
    return <p className={classes.hint}>Nothing in the last {HELD_BACK_DAYS} days.</p>;
  return (
    <details>
      <summary className={classes.summary}>
        {heldBack.length}
        {more && ' and more'} in the last {HELD_BACK_DAYS} days, in the bell alone
      </summary>
      <ul className={classes.devices}>
        {heldBack.map((one) => (
          <Line key={`${one.incidentUID} ${one.at}`} held={one} />
        ))}
      </ul>
    </details>
  );
}

function Line({ held: { at, farmUID, farmName, incidentUID, text, why, until } }: { held: Held }) {
  const now = useNow();
  const left = until === null ? 0 : Date.parse(until) - now;
  return (
    <li className={classes.device}>
      <div className={classes.text}>
        <Link to="/alerts" search={{ farm: farmUID, incident: incidentUID }} className={classes.deviceName}>
          {text}
        </Link>
        <div className={classes.deviceFacts}>
          {farmName} · {heldBackTexts[why]} · <Age at={at} />
          {left > 0 && ` · told in ${durationText(left)}, if it is still so`}
        </div>
      </div>
    </li>
  );
}
