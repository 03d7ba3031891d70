import { useState } from 'react';
import type { Timezone } from '@headrace/contract/farms';
import type { DiaryLog } from '@headrace/contract/irr-diary';
import { needs } from '@headrace/contract/permissions';
import { Link } from '@tanstack/react-router';
import { useCan } from '../../access/permissions.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { numberText } from '../../ui/format.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { useGrowing } from '../../ui/use-growing.ts';
import { usePrinted } from '../../ui/use-printed.ts';
import { figuresText, openText, outcomeSigns, outcomeText, plannedText, whyText } from './diary-labels.ts';
import { RunBar } from './run-bar.tsx';
import classes from './diary.module.css';

/** Of more than this a list shows the first until it is asked for all: thirty days of a silent farm have thousands of rows. */
const ROWS_AT_FIRST = 20;
/** Rows that are drawn at once; of thousands the rest follows. */
const ROWS_AT_ONCE = 60;

interface LogListProps {
  farmUID: string;
  logs: readonly DiaryLog[];
  zone: Timezone;
  label: string;
}

/** Waterings one below the other: whose it is, what was planned, what was said, how much that gave, and why. */
export function LogList({ farmUID, logs, zone, label }: LogListProps) {
  const canMap = useCan(needs.groupMap, farmUID);
  const [isAll, setIsAll] = useState(logs.length <= ROWS_AT_FIRST);
  const isPrinted = usePrinted();
  const drawn = useGrowing(isAll ? logs.length : ROWS_AT_FIRST, ROWS_AT_ONCE);
  return (
    <>
      <ul className={classes.logs} aria-label={label}>
        {(isPrinted ? logs : logs.slice(0, drawn)).map((log) => (
          <LogRow key={`${log.unitUID} ${log.start} ${log.outcome}`} {...{ farmUID, log, zone, canMap }} />
        ))}
      </ul>
      {!isAll && (
        <PlainButton onClick={() => setIsAll(true)} label={`Show all ${numberText(logs.length)}: ${label}`}>
          Show all {numberText(logs.length)}
        </PlainButton>
      )}
    </>
  );
}

interface LogRowProps {
  farmUID: string;
  log: DiaryLog;
  zone: Timezone;
  canMap: boolean;
}

function LogRow({ farmUID, log, zone, canMap }: LogRowProps) {
  const planned = plannedText(log, zone);
  const open = openText(log, zone);
  const why = whyText(log, zone);
  const { sprinkler, scheduleGroup, group } = log;
  return (
    <li className={classes.log} data-outcome={log.outcome}>
      <span className={classes.who}>
        {canMap ? (
          <Link
            to="/group-status/$name"
            params={{ name: 'FARM' }}
            search={{ farm: farmUID, ipc: log.unitUID, tab: 'history' }}
          >
            {sprinkler}
          </Link>
        ) : (
          sprinkler
        )}
        <small>{scheduleGroup || group}</small>
      </span>
      <span className={classes.outcome}>
        <ConditionDot condition={log.isKept ? 'inhibited' : outcomeSigns[log.outcome]} label={null} />
        {outcomeText(log)}
      </span>
      <RunBar log={log} />
      <span className={`${classes.times} num`}>
        {open && <b>{open}</b>}
        {planned && <span>planned {planned}</span>}
      </span>
      <span className={`${classes.figures} num`}>{figuresText(log)}</span>
      {why && <span className={classes.why}>{why.charAt(0).toUpperCase() + why.slice(1)}.</span>}
    </li>
  );
}
