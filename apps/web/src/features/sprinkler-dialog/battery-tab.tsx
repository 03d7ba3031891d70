import { useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import { warmCharts } from '../../charts/chart.tsx';
import { ChargeHistory } from '../../time-range/charge-history.tsx';
import { useChartZone, useHasChartZone } from '../../time-range/farm-zone.ts';
import { type PeriodChoice, rangeOf } from '../../time-range/period.ts';
import { useKeptPeriod } from '../../time-range/use-kept-period.ts';
import { Age } from '../../ui/age.tsx';
import { BatteryIcon } from '../../ui/battery-icon.tsx';
import { useNow } from '../../ui/clock.ts';
import { Quantity } from '../../ui/quantity.tsx';
import { AfterBattery } from './after-battery.tsx';
import { useBatteryWhy } from './use-remedies.ts';
import { forecastText } from './battery-labels.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { batteryLifeQuery, useSprinklerInfo } from './sprinkler-info.queries.ts';
import { useSprinklerDialog } from './sprinkler-search.ts';
import type { TabProps } from './unit-tabs.tsx';
import battery from './battery-tab.module.css';
import classes from './sprinkler-dialog.module.css';

/** How its battery stands, how long it lasts, and how it fared on the days that are chosen: 60 of them unless it is said. */
export default function BatteryTab(props: TabProps) {
  const { farmUID, unit } = props;
  const { search, patch } = useSprinklerDialog();
  const zone = useChartZone(farmUID);
  const hasZone = useHasChartZone(farmUID);
  const { kept, keep } = useKeptPeriod(farmUID, 'Battery');
  const { period, from, to } = search;
  const choice: PeriodChoice = period ? { period, from, to } : (kept ?? { period: 'Custom' });
  const query = useQuery({ ...batteryLifeQuery(unit.id, farmUID, rangeOf(choice)), enabled: hasZone });
  useEffect(warmCharts, []);
  const change = ({ period, from, to }: PeriodChoice) => {
    patch({ period, from, to });
    keep({ period, from, to });
  };
  return (
    <div className={classes.sections}>
      <Standing {...props} />
      <ChargeHistory name={unit.name} query={query} choice={choice} zone={zone} onChange={change} />
    </div>
  );
}

/** So long after a new battery it is asked whether schedule and clock survived it, ms. */
const CHECKED_FOR_MS = 3 * 86_400_000;
const isNew = (replacedAt: number | null, now: number): boolean =>
  replacedAt !== null && now - replacedAt < CHECKED_FOR_MS;

/** As it stands now, and the way to say that it is a new one. */
function Standing({ farmUID, unit, zone, commands, onBattery }: TabProps) {
  const { data: info } = useSprinklerInfo(unit.id, farmUID);
  const why = useBatteryWhy(farmUID, unit);
  const now = useNow();
  const { charge, at } = info?.battery ?? { charge: unit.charge, at: unit.statustime || null };
  const label = 'Record Battery Replacement';
  return (
    <section className={battery.standing} aria-label="Battery now">
      <p className={battery.now}>
        {charge !== null && <BatteryIcon charge={charge} />}
        <b>{charge === null ? 'Not known' : <Quantity value={charge} unit="%" />}</b>
        {charge !== null && <Age at={at} zone={zone} className={classes.age} />}
      </p>
      {/* Of a low one the alert above has it. */}
      {!unit.hasBatteryError && (
        <CommandButton why={why} onPress={onBattery} onRefused={(reason) => commands.refuse(label, reason)}>
          {label}
        </CommandButton>
      )}
      {info && <p className={battery.outlook}>{forecastText(info.battery)}</p>}
      {info && isNew(info.battery.replacedAt, now) && (
        <AfterBattery {...{ farmUID, info, zone, commands }} replacedAt={info.battery.replacedAt ?? 0} />
      )}
    </section>
  );
}
