import { Link } from '@tanstack/react-router';
import { pumpState, pumpTexts } from '@headrace/contract/rules/tank';
import type { TankSummary } from '@headrace/contract/tanks';
import { Tip } from '../../ui/tip.tsx';
import { hasPumpTab } from './tank-view-model.ts';
import { openTank } from './tank-search.ts';
import classes from './tank-card.module.css';

/** The pump's state as icon and words; it opens Pump Control, where the tank has it. Nothing for a tank without a pump. */
export function PumpBadge({ tank, canOpen }: { tank: TankSummary; canOpen: boolean }) {
  if (!tank.pumpControl) return null;
  const state = pumpState(tank.pumpControl);
  const text = pumpTexts[state];
  const content = (
    <>
      <PumpIcon state={state} />
      {text}
    </>
  );
  return (
    <Tip label={text}>
      {canOpen ? (
        <Link
          className={classes.pump}
          data-state={state}
          aria-label={`${text}: ${tank.name}`}
          {...openTank(tank._id, hasPumpTab(tank) ? 'pump' : 'details')}
        >
          {content}
        </Link>
      ) : (
        <span className={classes.pump} data-state={state} role="img" aria-label={text}>
          {content}
        </span>
      )}
    </Tip>
  );
}

/** A pump's casing with its impeller; crossed out where it isn't under control. */
export function PumpIcon({ state, size = 20 }: { state: keyof typeof pumpTexts; size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M18.5 12a7.5 7.5 0 1 1-7.5-7.5H21v4.5h-3.2" />
      <g className={state === 'running' ? classes.impeller : undefined}>
        <path d="M11 12c0-2.2 1-3.4 2.6-3.6M11 12c1.9 1.1 2.4 2.6 1.7 4.1M11 12c-1.9 1.1-3.4.8-4.4-.5" />
      </g>
      {(state === 'disabled' || state === 'unavailable') && <path d="M3 3 21 21" />}
    </svg>
  );
}
