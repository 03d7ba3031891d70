import { useState } from 'react';
import type { Timezone } from '@headrace/contract/farms';
import type { GroupAdvice } from '@headrace/contract/irrigation-advice';
import { Age } from '../../ui/age.tsx';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { dayText, numberText } from '../../ui/format.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import {
  adviceReasons,
  adviceSign,
  adviceTitle,
  gapsText,
  mmText,
  outlookTexts,
  shareText,
  soilText,
} from './advice-text.ts';
import { EditLink } from './edit-link.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import classes from './advice.module.css';

const Ledger = lazyPart(() => import('./ledger.tsx').then((m) => m.Ledger), {
  failed: "Its days couldn't be loaded",
  waiting: <Skeleton blockPx={140} />,
});

interface GroupCardProps {
  farmUID: string;
  group: GroupAdvice;
  zone: Timezone;
  canEdit: boolean;
}

/** What a group needs, why, and on what that rests. */
export function GroupCard({ farmUID, group, zone, canEdit }: GroupCardProps) {
  const [isOpen, setIsOpen] = useState(false);
  const outlook = outlookTexts(group);
  return (
    <li className={classes.card}>
      <h2 className={classes.name}>{group.name}</h2>
      <p className={classes.title}>
        <ConditionDot condition={adviceSign(group)} size={18} label={null} />
        <b className="num">{adviceTitle(group, zone)}</b>
      </p>
      <Fullness group={group} />
      {adviceReasons(group).map((reason) => (
        <p key={reason} className={`${classes.reason} num`}>
          {reason}
        </p>
      ))}
      {outlook.length > 0 && (
        <ul className={classes.outlook} aria-label={`Next days of ${group.name}`}>
          {outlook.map((text) => (
            <li key={text} className="num">
              {text}
            </li>
          ))}
        </ul>
      )}
      <Facts group={group} zone={zone} />
      {canEdit && (
        <p className={classes.ways}>
          <EditLink farmUID={farmUID} of={group.groupUID} label={`Soil and crop of ${group.name}`}>
            Soil and crop
          </EditLink>
        </p>
      )}
      <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary className={classes.summary}>
          Day by day<span className={classes.spoken}> of {group.name}</span>
        </summary>
        {isOpen && <Ledger {...{ farmUID, canEdit }} groupUID={group.groupUID} name={group.name} />}
      </details>
    </li>
  );
}

/** How full the soil is, with where to irrigate and up to which. */
function Fullness({ group: { fullness, depletionMm, tawMm, soil } }: { group: GroupAdvice }) {
  if (fullness === null || depletionMm === null) return null;
  return (
    <>
      <p className={`${classes.reason} num`}>
        {shareText(fullness)} of full: lacks {mmText(depletionMm)} of {mmText(tawMm)}
      </p>
      <div className={classes.bar} aria-hidden="true">
        <i className={classes.level} style={{ width: `${fullness * 100}%` }} />
        <i className={classes.mark} style={{ left: `${soil.triggerShare * 100}%` }} />
        <i className={classes.mark} style={{ left: `${soil.targetShare * 100}%` }} />
      </div>
    </>
  );
}

function Facts({ group, zone }: { group: GroupAdvice; zone: Timezone }) {
  const { since, heardAt, sprinklers, cycle, probe, today } = group;
  const gaps = gapsText(group);
  return (
    <dl className={classes.facts}>
      <dt>Soil and crop</dt>
      <dd className="num">{soilText(group)}</dd>
      {since !== null && (
        <>
          <dt>Balance</dt>
          <dd className="num">
            since the evening of {dayText(since)}
            {gaps && `; ${gaps}`}
          </dd>
          <dt>Today so far</dt>
          <dd className="num">
            rain {today.rainMm === null ? 'not known' : mmText(today.rainMm)}, irrigation{' '}
            {today.appliedMm === null ? 'not known' : mmText(today.appliedMm)}
          </dd>
        </>
      )}
      <dt>A cycle</dt>
      <dd className="num">
        {mmText(cycle.mm)}
        {cycle.from === 'sent' ? ' by what was last sent' : ' as the group is set: nothing was sent'}
      </dd>
      {probe && (
        <>
          <dt>Probe</dt>
          <dd className="num">
            {probe.name}: {probe.kpa === null ? 'silent, or no tension' : `${numberText(probe.kpa)} kPa`}
            {probe.at !== null && (
              <>
                , <Age at={probe.at} zone={zone} />
              </>
            )}
            ; dry at {numberText(probe.refillKpa)} kPa
          </dd>
        </>
      )}
      <dt>Sprinklers</dt>
      <dd className="num">
        {numberText(sprinklers)}, last heard <Age at={heardAt} zone={zone} never="never" />
      </dd>
    </dl>
  );
}
