import { useComputedColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Timezone } from '@headrace/contract/farms';
import type { FlowSummary } from '@headrace/contract/flow';
import { TANK_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import { outOfContactText } from '@headrace/contract/rules/contact';
import { needs } from '@headrace/contract/permissions';
import type { FlowUnit } from '@headrace/contract/rules/flow';
import { chartPalettes, seriesColour } from '../../charts/chart-palette.ts';
import { flowDigits, flowUnitTexts } from '../../charts/flow-meters-chart.ts';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { Quantity } from '../../ui/quantity.tsx';
import { useCan } from '../../access/permissions.ts';
import { MeterFindings } from '../insights/finding.tsx';
import { meterAnchor, meterNames } from './meter-names.ts';
import classes from './flow-card.module.css';

export interface MeterListProps {
  farmUID: string;
  meters: readonly FlowSummary[];
  unit: FlowUnit;
  zone: Timezone;
}

/** What flows through each meter now, with its age. */
export function MeterList({ farmUID, meters, unit, zone }: MeterListProps) {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const names = meterNames(meters);
  const canOpen = useCan(needs.readSensors, farmUID);
  return (
    <ul className={classes.meters} aria-label="Flow now">
      {meters.map((meter, nth) => (
        <li key={meter._id} id={meterAnchor(meter._id)} className={classes.meter}>
          <i
            className={classes.swatch}
            style={{ background: seriesColour(chartPalettes[scheme], nth) }}
            aria-hidden="true"
          />
          <span className={classes.name}>
            {canOpen ? (
              <Link to="/sensor-device/$farmUID/$id" params={{ farmUID, id: meter._id }}>
                {names[nth]}
              </Link>
            ) : (
              names[nth]
            )}
          </span>
          <MeterNow meter={meter} unit={unit} zone={zone} />
          <MeterFindings farmUID={farmUID} meterId={meter._id} zone={zone} />
        </li>
      ))}
    </ul>
  );
}

function MeterNow({ meter, unit, zone }: { meter: FlowSummary; unit: FlowUnit; zone: Timezone }) {
  const now = useNow();
  const at = meter.statusTime === null ? null : Date.parse(meter.statusTime);
  const isOut = meter.isOutOfContact || at === null || now - at > TANK_OUT_OF_CONTACT_MS;
  const value = {
    lps: meter.value.litresPerSecond,
    lph: meter.value.litresPerHour,
    m3pd: meter.value.cubicMetresDay,
  }[unit];
  return (
    <>
      <span className={classes.value} data-stale={isOut || undefined}>
        {meter.invalid ? (
          <span className={classes.wrong}>
            <ConditionDot condition="caution" label={null} /> Invalid sensor value
          </span>
        ) : value === null ? (
          'No data'
        ) : (
          <Quantity value={value} unit={flowUnitTexts[unit]} digits={flowDigits(unit)} />
        )}
      </span>
      {at !== null && <Age at={at} zone={zone} staleAfter={TANK_OUT_OF_CONTACT_MS} className={classes.age} />}
      {isOut && (
        <span className={classes.out}>
          <ConditionDot condition="issue" label={null} /> {outOfContactText(at, now)}
        </span>
      )}
    </>
  );
}
