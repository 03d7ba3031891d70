import { memo, useId } from 'react';
import { Link } from '@tanstack/react-router';
import {
  IconArrowDownRight,
  IconArrowUpRight,
  IconBatteryExclamation,
  IconChartBar,
  IconDropletDown,
  IconDropletExclamation,
  IconMapPin,
  IconTrendingDown,
  IconTrendingUp,
} from '@tabler/icons-react';
import type { Timezone } from '@headrace/contract/farms';
import { tankState, type TankState } from '@headrace/contract/rules/tank-state';
import type { TankInsight } from '@headrace/contract/insights';
import { TANK_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import { outOfContactText } from '@headrace/contract/rules/contact';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { TankSummary } from '@headrace/contract/tanks';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { numberText } from '../../ui/format.ts';
import { Quantity } from '../../ui/quantity.tsx';
import { Tip } from '../../ui/tip.tsx';
import { DeviceAlerts } from '../../device-records/lazy-device-alerts.tsx';
import { TankFindings } from '../insights/finding.tsx';
import { LEAK_TEXT } from '../insights/insight-labels.ts';
import { PumpBadge } from './pump-badge.tsx';
import { conditionOf, flowLabel, stateLabel, trendLabel } from './tank-view-model.ts';
import { TankGauge } from './tank-gauge.tsx';
import { openTank } from './tank-search.ts';
import classes from './tank-card.module.css';

export interface TankCardProps {
  tank: TankSummary;
  /** What its readings point to; undefined: not known yet, or nothing. */
  insight?: TankInsight | undefined;
  farmUID: string;
  zone: Timezone | null;
  /** The person may read sensors: the card opens the tank. */
  canOpen: boolean;
  /** The person may see the tank map. */
  canMap: boolean;
}

/** One tank: how full, which way it goes, what is wrong, how old all of it is. */
export const TankCard = memo(function TankCard(props: TankCardProps) {
  const { tank, insight, farmUID, zone, canOpen, canMap } = props;
  const now = useNow();
  const state = tankState(tank, now, insight);
  const condition = conditionOf(state);
  const percent = tank.level.invalid ? null : tank.level.value;
  const id = useId();
  const isMoving = (tank.trending ?? 0) !== 0 || (tank.flow?.flowrate ?? 0) > 0;
  const text = stateLabel(state);
  return (
    <article className={classes.card} aria-labelledby={id} data-stale={state.out || undefined}>
      <header className={classes.head}>
        <div className={classes.names}>
          <h3 className={classes.name}>
            <ConditionDot condition={condition} label={text[0] ?? 'OK'} />
            {canOpen ? (
              <Link id={id} className={classes.open} {...openTank(tank._id)}>
                {tank.name}
              </Link>
            ) : (
              <span id={id}>{tank.name}</span>
            )}
          </h3>
          {tank.description && <p className={classes.description}>{tank.description}</p>}
        </div>
        <nav className={classes.actions} aria-label={`${tank.name}: more`}>
          {canOpen && (
            <Tip label="Usage">
              <Link
                className={classes.action}
                aria-label={`Usage of ${tank.name}`}
                {...openTank(tank._id, 'usage')}
              >
                <IconChartBar size={20} stroke={1.7} aria-hidden="true" />
              </Link>
            </Tip>
          )}
          {canMap && tank.location && (
            <Tip label="On the map">
              <Link
                className={classes.action}
                aria-label={`${tank.name} on the map`}
                to="/tanks"
                search={{ farm: farmUID, p: tank.serialNumber }}
              >
                <IconMapPin size={20} stroke={1.7} aria-hidden="true" />
              </Link>
            </Tip>
          )}
        </nav>
      </header>
      <div className={classes.body}>
        <div className={classes.gauge}>
          <TankGauge
            percent={percent}
            isStale={state.out}
            isMoving={isMoving}
            lowSetpoint={tank.pumpControl?.lowSetpoint}
            highSetpoint={tank.pumpControl?.highSetpoint}
          />
          <Setpoints tank={tank} />
        </div>
        <div className={classes.facts}>
          <Level tank={tank} state={state} />
          <Flow tank={tank} canOpen={canOpen} />
        </div>
      </div>
      <Warnings tank={tank} state={state} isLeakShown={zone !== null && Boolean(insight?.leak)} />
      {zone && <TankFindings insight={insight} zone={zone} hasLeak={state.leak} />}
      {state.out && (
        <p className={classes.outText}>
          {outOfContactText(tank.statusTime === null ? null : Date.parse(tank.statusTime), now)}
        </p>
      )}
      <DeviceAlerts farmUID={farmUID} uid={tank._id} behind={state.out ? tank.gatewayUID : null} />
      <footer className={classes.foot}>
        <Age at={tank.statusTime} zone={zone} staleAfter={TANK_OUT_OF_CONTACT_MS} never="No data" />
        <PumpBadge tank={tank} canOpen={canOpen} />
      </footer>
    </article>
  );
});

/** The gauge's pointers, for those who don't see them. */
function Setpoints({ tank: { pumpControl } }: { tank: TankSummary }) {
  const { lowSetpoint = null, highSetpoint = null } = pumpControl ?? {};
  if (lowSetpoint === null && highSetpoint === null) return null;
  return (
    <p className={classes.spoken}>
      {lowSetpoint !== null && `Pump on at ${numberText(lowSetpoint)} %. `}
      {highSetpoint !== null && `Pump off at ${numberText(highSetpoint)} %.`}
    </p>
  );
}

function Level({ tank, state }: { tank: TankSummary; state: TankState }) {
  const { level, trending, statusTime } = tank;
  if (level.invalid) return <p className={classes.noLevel}>Invalid sensor value</p>;
  if (statusTime === null || level.value === null) return <p className={classes.noLevel}>No data</p>;
  const trend = state.out ? null : trendLabel(trending);
  return (
    <div>
      <p className={classes.percent}>
        <Quantity value={level.value} unit="%" />
        {trend && trend !== 'steady' && (
          <span className={classes.trend} data-trend={trend}>
            {trend === 'rising' ? (
              <IconTrendingUp size={18} aria-hidden="true" />
            ) : (
              <IconTrendingDown size={18} aria-hidden="true" />
            )}
            {trend}
          </span>
        )}
      </p>
      <p className={classes.litres}>
        <Quantity value={level.valueInLitres} unit="L" />
      </p>
    </div>
  );
}

/** Which way and how much. */
function Flow({ tank, canOpen }: { tank: TankSummary; canOpen: boolean }) {
  const { flow, type } = tank;
  if (!flow || flow.flowrate === null) return null;
  const text = flowLabel(flow.direction);
  const isStill = flow.flowrate === 0;
  const content = (
    <>
      {text === 'in' && <IconArrowDownRight size={18} aria-hidden="true" />}
      {text === 'out' && <IconArrowUpRight size={18} aria-hidden="true" />}
      <span>
        <Quantity value={flow.flowrate} unit="L/min" digits={isStill ? 0 : 1} /> {text}
      </span>
    </>
  );
  if (!canOpen || type !== sensorTypes.TLM_V3) {
    return (
      <p className={classes.flow} data-still={isStill || undefined}>
        {content}
      </p>
    );
  }
  return (
    <Link
      className={classes.flow}
      data-still={isStill || undefined}
      aria-label={`Flow of ${tank.name}: ${numberText(flow.flowrate, 1)} litres a minute ${text ?? ''}`.trim()}
      {...openTank(tank._id, 'flow')}
    >
      {content}
    </Link>
  );
}

interface WarningsProps {
  tank: TankSummary;
  state: TankState;
  /** What is found of the leak stands below, with the same words. */
  isLeakShown: boolean;
}

function Warnings({ tank, state, isLeakShown: hasLeakInsight }: WarningsProps) {
  const hasLeak = state.leak && !hasLeakInsight;
  if (!hasLeak && !state.lowBattery && !state.lowLevel) return null;
  return (
    <ul className={classes.warnings}>
      {hasLeak && (
        <li data-condition="issue">
          <IconDropletExclamation size={17} aria-hidden="true" />
          {LEAK_TEXT}
        </li>
      )}
      {state.lowLevel && (
        <li data-condition="caution">
          <IconDropletDown size={17} aria-hidden="true" />
          Low level
        </li>
      )}
      {state.lowBattery && (
        <li data-condition="caution">
          <IconBatteryExclamation size={17} aria-hidden="true" />
          <span className="num">Low battery {numberText(tank.batteryVoltage, 2)} V</span>
        </li>
      )}
    </ul>
  );
}
