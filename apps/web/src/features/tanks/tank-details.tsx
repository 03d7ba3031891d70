import type { ReactNode } from 'react';
import { chargingText, pumpState, pumpTexts } from '@headrace/contract/rules/tank';
import { outOfContactText } from '@headrace/contract/rules/contact';
import { tankState } from '@headrace/contract/rules/tank-state';
import type { TankInfo } from '@headrace/contract/tanks';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { numberText } from '../../ui/format.ts';
import { Quantity } from '../../ui/quantity.tsx';
import { useChartZone } from '../../time-range/farm-zone.ts';
import { LEAK_TEXT } from '../insights/insight-labels.ts';
import { useTankInsights } from '../insights/use-tank-insights.ts';
import { TankOutlook } from '../insights/tank-outlook.tsx';
import { ConfigUpdates } from './config-updates.tsx';
import { Notice } from './notice.tsx';
import { PumpIcon } from './pump-badge.tsx';
import { flowLabel, trendLabel } from './tank-view-model.ts';
import { TankGauge } from './tank-gauge.tsx';
import classes from './tank-dialog.module.css';

const INVALID_TEXT =
  'The sensor has reported an invalid value, which may indicate a potential malfunction or error in the sensor.';

/** Everything of one tank as it is now. */
export function TankDetails({ info }: { info: TankInfo }) {
  const now = useNow();
  const zone = useChartZone(info.farmUID);
  const insight = useTankInsights(info.farmUID).get(info._id);
  const state = tankState(info, now, insight);
  const percent = info.level.invalid ? null : info.level.value;
  return (
    <>
      <Notices>
        {state.out && (
          <Notice condition="issue">
            {outOfContactText(info.statusTime === null ? null : Date.parse(info.statusTime), now)}
          </Notice>
        )}
        {info.level.invalid && (
          <Notice condition="caution">
            {info.levelFault ? `${info.levelFault} Please check them in the sensor's form.` : INVALID_TEXT}
          </Notice>
        )}
        {state.leak && !insight?.leak && <Notice condition="issue">{LEAK_TEXT}</Notice>}
        <ConfigUpdates info={info} />
      </Notices>
      <div className={classes.outlook}>
        <TankOutlook farmUID={info.farmUID} tankId={info._id} zone={zone} hasLeak={state.leak} />
      </div>
      <div className={classes.details}>
        <div className={classes.drawing} data-stale={state.out || undefined}>
          <div className={classes.gauge}>
            <TankGauge
              percent={percent}
              isStale={state.out}
              isMoving={(info.trending ?? 0) !== 0 || (info.flow?.flowrate ?? 0) > 0}
              lowSetpoint={info.pumpControl?.lowSetpoint}
              highSetpoint={info.pumpControl?.highSetpoint}
              deadBand={info.offsetScaled}
              hasScale
            />
          </div>
          <Now info={info} isOut={state.out} />
        </div>
        <div className={classes.groups}>
          <Group title="Usage">
            <Fact name="Today">
              <Quantity value={info.todayUsage} unit="L" />
            </Fact>
            <Fact name="Yesterday">
              <Quantity value={info.yesterdayUsage} unit="L" />
            </Fact>
          </Group>
          <Battery info={info} isLow={state.lowBattery} />
          <Comms info={info} />
          <Pump info={info} />
          <Group title="Tank">
            <Fact name="Volume">
              <Quantity value={info.volume || null} unit="L" />
            </Fact>
            <Fact name="Full at">
              <Quantity value={info.toplevel} unit="mm" />
            </Fact>
            {info.offsetScaled > 0 && (
              <Fact name="Sensor sees no water">
                below <Quantity value={info.offsetScaled} unit="%" />
              </Fact>
            )}
          </Group>
        </div>
      </div>
    </>
  );
}

function Now({ info, isOut }: { info: TankInfo; isOut: boolean }) {
  const { level, flow } = info;
  if (level.invalid) return <p className={classes.noLevel}>Invalid sensor value</p>;
  if (info.statusTime === null || level.value === null) return <p className={classes.noLevel}>No data</p>;
  const trend = isOut ? null : trendLabel(info.trending);
  return (
    <div className={classes.now}>
      <p className={classes.percent}>
        <Quantity value={level.value} unit="%" />
      </p>
      <p className={classes.litres}>
        <Quantity value={level.valueInLitres} unit="L" />
        {trend && <span> · {trend}</span>}
      </p>
      {flow && flow.flowrate !== null && (
        <p className={classes.litres}>
          <Quantity value={flow.flowrate} unit="L/min" digits={flow.flowrate === 0 ? 0 : 1} />{' '}
          {flowLabel(flow.direction)}
        </p>
      )}
    </div>
  );
}

function Battery({ info, isLow }: { info: TankInfo; isLow: boolean }) {
  const { battery, batteryVoltage, charge, fault } = info;
  const hasBattery = battery !== null || batteryVoltage !== null;
  return (
    <Group title="Battery">
      <Fact name="Charge">
        {hasBattery ? (
          <>
            {battery !== null && <Quantity value={Math.round(battery)} unit="%" />}
            {batteryVoltage !== null && (
              <span className={classes.beside}>
                <Quantity value={batteryVoltage} unit="V" digits={2} />
              </span>
            )}
            {isLow && (
              <span className={classes.flag}>
                <ConditionDot condition="caution" label={null} size={13} /> low
              </span>
            )}
          </>
        ) : (
          'No battery data'
        )}
      </Fact>
      <Fact name="Charging">
        {charge === null ? 'No charging data' : chargingText({ charge, fault, battery })}
      </Fact>
    </Group>
  );
}

/** Shorter intervals are told in seconds, min; what rounds to a minute is one. */
const SHORTEST_IN_MINUTES = 0.95;

function Comms({ info: { commsHealth } }: { info: TankInfo }) {
  const { commsInterval, commsQuality } = commsHealth;
  return (
    <Group title="Comms health">
      <Fact name="Reports every">
        {commsInterval !== null && commsInterval < SHORTEST_IN_MINUTES ? (
          <Quantity value={Math.max(1, commsInterval * 60)} unit="s" />
        ) : (
          <Quantity value={commsInterval} unit="min" />
        )}
      </Fact>
      <Fact name="Reports received">
        <span className="num">
          {numberText(commsQuality, 2)}
          {commsQuality !== null && ' of 1 expected'}
        </span>
        {commsQuality !== null && (
          <meter
            className={classes.meter}
            min={0}
            max={1}
            low={0.5}
            high={0.8}
            optimum={1}
            value={commsQuality}
            aria-label={`${numberText(commsQuality * 100)} % of the expected reports arrived in the last 24 hours`}
          />
        )}
      </Fact>
    </Group>
  );
}

function Pump({ info: { pumpControl, statusTime } }: { info: TankInfo }) {
  if (!pumpControl) {
    return (
      <section className={classes.group}>
        <h3>Pump control</h3>
        <p className={classes.note}>
          {statusTime === null ? 'This device has not been contacted.' : pumpTexts.unavailable}
        </p>
      </section>
    );
  }
  const state = pumpState(pumpControl);
  const percent = (value: number | null) => <Quantity value={value} unit="%" />;
  return (
    <Group title="Pump control">
      <Fact name="Pump">
        <span className={classes.pump} data-state={state}>
          <PumpIcon state={state} size={18} /> {pumpTexts[state]}
        </span>
      </Fact>
      <Fact name="On at, off at">
        {percent(pumpControl.lowSetpoint)}{' '}
        <span className={classes.beside}>{percent(pumpControl.highSetpoint)}</span>
      </Fact>
      <Fact name="Longest run">
        {pumpControl.maxRunTime === 0 ? 'No limit' : <Quantity value={pumpControl.maxRunTime} unit="min" />}
      </Fact>
      {pumpControl.inputState !== null && <Fact name="Input">{pumpControl.inputState ? 'On' : 'Off'}</Fact>}
    </Group>
  );
}

function Notices({ children }: { children: ReactNode }) {
  return <div className={classes.notices}>{children}</div>;
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.group}>
      <h3>{title}</h3>
      <dl>{children}</dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
