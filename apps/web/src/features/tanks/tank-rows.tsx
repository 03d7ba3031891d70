import { Link } from '@tanstack/react-router';
import { IconTrendingDown, IconTrendingUp } from '@tabler/icons-react';
import type { Timezone } from '@headrace/contract/farms';
import type { TankInsight } from '@headrace/contract/insights';
import { TANK_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import { levelColour, pumpState, pumpTexts } from '@headrace/contract/rules/tank';
import { tankState } from '@headrace/contract/rules/tank-state';
import type { TankSummary } from '@headrace/contract/tanks';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { Quantity } from '../../ui/quantity.tsx';
import { conditionOf, stateLabel, trendLabel } from './tank-view-model.ts';
import { openTank } from './tank-search.ts';
import classes from './tank-rows.module.css';

export interface TankRowsProps {
  /** In the order wanted. */
  tanks: readonly TankSummary[];
  found: ReadonlyMap<string, TankInsight>;
  zone: Timezone | null;
  canOpen: boolean;
}

/** The tanks as lines: all of a farm on one screen of a phone. A line opens its tank. */
export function TankRows({ tanks, found, zone, canOpen }: TankRowsProps) {
  const now = useNow();
  return (
    <ul className={classes.rows}>
      {tanks.map((tank) => {
        const state = tankState(tank, now, found.get(tank._id));
        const text = stateLabel(state);
        const pump = tank.pumpControl?.relayControl ? pumpState(tank.pumpControl) : null;
        return (
          <li key={tank._id} className={classes.row} data-stale={state.out || undefined}>
            <ConditionDot condition={conditionOf(state)} label={null} size={18} />
            <span className={classes.names}>
              {canOpen ? (
                <Link className={classes.open} {...openTank(tank._id)}>
                  {tank.name}
                </Link>
              ) : (
                <span className={classes.open}>{tank.name}</span>
              )}
              <span className={classes.under}>
                <span>{text.join(', ') || 'OK'}</span>
                {pump && <span>{pumpTexts[pump]}</span>}
                <Age at={tank.statusTime} zone={zone} staleAfter={TANK_OUT_OF_CONTACT_MS} never="No data" />
              </span>
            </span>
            <Level tank={tank} isOut={state.out} />
          </li>
        );
      })}
    </ul>
  );
}

function Level({ tank: { level, trending }, isOut }: { tank: TankSummary; isOut: boolean }) {
  if (level.invalid || level.value === null) return <span className={classes.level}>–</span>;
  const trend = isOut ? null : trendLabel(trending);
  return (
    <span className={classes.level} data-level={levelColour(level.value)}>
      {trend === 'rising' && <IconTrendingUp size={17} role="img" aria-label="rising" />}
      {trend === 'falling' && <IconTrendingDown size={17} role="img" aria-label="falling" />}
      <Quantity value={level.value} unit="%" />
    </span>
  );
}
