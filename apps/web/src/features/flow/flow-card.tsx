import { useQuery, useQueryClient } from '@tanstack/react-query';
import { needs } from '@headrace/contract/permissions';
import { type FlowUnit, flowUnits } from '@headrace/contract/rules/flow';

import { flowUnitTexts } from '../../charts/flow-meters-chart.ts';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { oneOfParam } from '../../ui/url-state.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { useCan } from '../../access/permissions.ts';
import { CardFrame, type CardProps } from '../../ui/card-frame.tsx';
import { keepFilter, keptFilter, keptPeriod } from '../../time-range/kept-filter.ts';
import { saveSettings, useSettings } from '../../preferences/settings.queries.ts';
import { useChartZone } from '../../time-range/farm-zone.ts';
import { PeriodFilter } from '../../time-range/period-filter.tsx';
import type { PeriodChoice } from '../../time-range/period.ts';
import { flowMetersQuery } from './flow.queries.ts';
import { FlowHistory } from './flow-history.tsx';
import { MeterList } from './meter-list.tsx';
import classes from './flow-card.module.css';

const units = Object.values(flowUnits);
/** Without dates: the last 60 days. spec 2 §9 */
const LAST_60_DAYS: PeriodChoice = { period: 'Custom' };

/** What runs through the farm's flow meters, now and before. */
export function FlowCard({ farm }: CardProps) {
  const settings = useSettings();
  const queryClient = useQueryClient();
  const zone = useChartZone(farm._id);
  const canHistory = useCan(needs.readSensors, farm._id);
  const query = useQuery(flowMetersQuery(farm._id));
  const filter = keptFilter(settings, farm._id, 'Flow');
  const unit = oneOfParam(filter?.unit, units) ?? 'lps';
  const choice = (canHistory && keptPeriod(filter)) || LAST_60_DAYS;
  const keep = (change: { choice?: PeriodChoice; unit?: FlowUnit }) =>
    saveSettings(queryClient, keepFilter(settings, farm, 'Flow', change));
  return (
    <CardFrame
      type="Flow"
      title="Flow Meters"
      actions={
        <Segmented
          aria-label="Unit of flow"
          data={units.map((value) => ({ value, label: flowUnitTexts[value] }))}
          value={unit}
          onChange={(value) => keep({ unit: value })}
        />
      }
    >
      {canHistory && (
        <PeriodFilter
          choice={choice}
          zone={zone}
          onChange={(next) => keep({ choice: next })}
          unchosen="Last 60 days"
        />
      )}
      <StateView
        query={query}
        failed="The flow meters couldn't be loaded"
        skeleton={<div className={classes.skeleton} aria-hidden="true" />}
        isEmpty={(meters) => meters.length === 0}
        empty={<Empty title="No items to display.">Add a flow meter to this farm and it appears here.</Empty>}
      >
        {(meters) => (
          <>
            <FlowHistory
              farmUID={farm._id}
              meters={meters}
              choice={choice}
              unit={unit}
              zone={zone}
              farmName={farm.name}
            />
            <MeterList farmUID={farm._id} meters={meters} unit={unit} zone={zone} />
          </>
        )}
      </StateView>
    </CardFrame>
  );
}
