import { Link } from '@tanstack/react-router';
import { cycleText } from '@headrace/contract/rules/schedule/cycle-text';
import type { SetStanding, SetSummary } from '@headrace/contract/schedule-sets';
import { Age } from '../../ui/age.tsx';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { SetMenu, type SetAct, useSetRights } from './set-menu.tsx';
import {
  differLines,
  differText,
  figuresText,
  NOT_CONFIRMED_TEXT,
  originText,
  pollText,
  setGroupsText,
  standingText,
} from './set-labels.ts';
import classes from './sets.module.css';

interface Props {
  set: SetSummary;
  farmUID: string;
  currentUID: string | null;
  onAsk: (act: SetAct) => void;
}

/** One set: what it waters, how far it has got, where it came from. */
export function SetEntry({ set, farmUID, currentUID, onAsk }: Props) {
  const { name, isCurrent, settings, figures, standing, createdAt, createdBy, replacedBy } = set;
  const water = [
    `Cycle ${cycleText(settings.cycleLen)}`,
    ...(figures ? [figuresText(figures, settings.cycleLen)] : []),
  ].join(', ');
  return (
    <li className={classes.entry} aria-label={name}>
      <div className={classes.text}>
        <h3 className={classes.name}>
          {name}
          {isCurrent && <span className={classes.badge}>The farm waters by it</span>}
        </h3>
        <p className={`${classes.facts} num`}>{water}</p>
        <p className={`${classes.facts} num`}>{setGroupsText(set)}</p>
        {standing ? (
          <Standing {...{ set, farmUID, standing, onAsk }} />
        ) : (
          <p className={classes.facts}>Not in use</p>
        )}
        <Differences set={set} farmUID={farmUID} onAsk={onAsk} />
        <Findings findings={set.findings} />
        <p className={classes.facts}>
          {originText(set)}. Made {createdBy ? `by ${createdBy} ` : ''}
          <Age at={Date.parse(createdAt)} />
          {replacedBy !== null && '. There is a newer one of the same template.'}
        </p>
      </div>
      <SetMenu set={set} farmUID={farmUID} currentUID={currentUID} onAsk={onAsk} />
    </li>
  );
}

const share = (count: number, total: number) => `${total > 0 ? (100 * count) / total : 0}%`;

interface StandingProps extends Pick<Props, 'set' | 'farmUID' | 'onAsk'> {
  standing: SetStanding;
}

function Standing({ set, farmUID, standing, onAsk }: StandingProps) {
  const { holding, onTheirWay, notConfirmed, toPoll, total } = standing;
  const { canPoll } = useSetRights(farmUID);
  return (
    <>
      <p className={`${classes.standing} num`}>{standingText(standing)}</p>
      {total > 0 && (
        <span className={classes.bar} aria-hidden="true">
          <i style={{ width: share(holding, total) }} data-tone="ok" />
          <i style={{ width: share(onTheirWay, total) }} data-tone="way" />
          <i style={{ width: share(notConfirmed, total) }} data-tone="caution" />
        </span>
      )}
      {notConfirmed > 0 && (
        <p className={classes.facts}>
          {NOT_CONFIRMED_TEXT}{' '}
          <Link to="/schedules/compare/$id" params={{ id: farmUID }} search={{ to: set._id }}>
            See what they hold
          </Link>
        </p>
      )}
      {canPoll && toPoll.length > 0 && (
        <PlainButton label={`${pollText(standing)} of ${set.name}…`} onClick={() => onAsk('poll')}>
          {pollText(standing)}…
        </PlainButton>
      )}
    </>
  );
}

/** Where the farm is no longer as it was computed, with the way to mend it. */
function Differences({ set, farmUID, onAsk }: Omit<Props, 'currentUID'>) {
  const { canCompute } = useSetRights(farmUID);
  const text = differText(set.differences);
  if (text === null || !set.differences) return null;
  return (
    <div className={classes.note}>
      <p className={classes.noteTitle}>
        <ConditionDot condition="caution" label={null} /> {text}
      </p>
      {differLines(set.differences).map((line) => (
        <p key={line} className={classes.facts}>
          {line}
        </p>
      ))}
      {canCompute && set.template?.uid && (
        <PlainButton
          label={`Compute and send the difference of ${set.name}…`}
          onClick={() => onAsk('compute')}
        >
          Compute and send the difference…
        </PlainButton>
      )}
    </div>
  );
}

const SHOWN = 3;

/** What was worth knowing when it was made. */
function Findings({ findings }: Pick<SetSummary, 'findings'>) {
  const worth = findings.filter(({ code }) => code !== 'byHand');
  if (worth.length === 0) return null;
  return (
    <details className={classes.findings}>
      <summary>{worth.length === 1 ? '1 note on it' : `${worth.length} notes on it`}</summary>
      <ul>
        {worth.slice(0, SHOWN).map(({ sentence }) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {worth.length > SHOWN && <li>And {worth.length - SHOWN} more like these.</li>}
      </ul>
    </details>
  );
}
