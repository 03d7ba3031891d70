import type { Timezone } from '@headrace/contract/farms';
import { secondText } from './command-times.ts';
import { tones } from './command-labels.ts';
import type { LifeStage } from './command-life.ts';
import { StateSign } from './state-sign.tsx';
import classes from './command-drawer.module.css';

/** A command's life from top to bottom, with the times that are known. */
export function LifeStepper({ stages, zone }: { stages: readonly LifeStage[]; zone: Timezone }) {
  return (
    <ol className={classes.life} aria-label="Its life">
      {stages.map(({ state, label, at, when }) => (
        <li
          key={state}
          className={classes.stage}
          data-when={when}
          data-tone={tones[state]}
          aria-current={when === 'now' ? 'step' : undefined}
        >
          <StateSign state={state} size={22} />
          <span>{label}</span>
          {at === null ? (
            <span className={classes.stageTime}>{when === 'ahead' ? 'not yet' : ''}</span>
          ) : (
            <time className={classes.stageTime} dateTime={new Date(at).toISOString()}>
              {secondText(at, zone)}
            </time>
          )}
        </li>
      ))}
    </ol>
  );
}
