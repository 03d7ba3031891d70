import { useCallback } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { SprinklerHealth } from '@headrace/contract/health';
import { historyType } from '@headrace/contract/rules/health-figures';
import { serverNow } from '../../api/server-time.ts';
import { Chart } from '../../charts/chart.tsx';
import { healthFigures, healthOption, percentText } from '../../charts/health-chart.ts';
import { useChartZone } from '../../time-range/farm-zone.ts';
import { farmDay } from '../../time-range/period.ts';
import { CardFrame, type CardProps } from '../../ui/card-frame.tsx';
import { dayText } from '../../ui/format.ts';
import { Empty, StateView } from '../../ui/state-view.tsx';
import type { Scheme } from '../../ui/tokens.ts';
import { openHealth } from './health-search.ts';
import { sprinklerHealthQuery } from './health.queries.ts';
import { NoSprinklers } from './no-sprinklers.tsx';
import { PdfWay } from '../../ui/pdf-way.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './sprinkler-cards.module.css';
import type { HealthReportProps } from './health-report.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

const HealthReport = lazyDialog<HealthReportProps>(() =>
  import('./health-report.tsx').then((m) => m.default),
);

/** Fewer snapshots than this are told with the day from which they are. */
const MONTH_DAYS = 30;

/** The share of the sprinklers in contact that are free of each error: now, and the lowest and highest of the last month. */
export function SprinklerHealthCard({ farm }: CardProps) {
  const { _id: farmUID } = farm;
  const query = useQuery(sprinklerHealthQuery(farmUID));
  const { data: health } = query;
  const pdf = health && health.total > 0 && (
    <PdfWay of="sprinkler health">{(onClose) => <HealthReport {...{ farm, health, onClose }} />}</PdfWay>
  );
  return (
    <CardFrame type="IPCHealth" title="Sprinkler Health" actions={pdf}>
      <StateView
        query={query}
        failed="The sprinklers' health couldn't be loaded"
        skeleton={<Skeleton blockPx={220} />}
        isEmpty={({ total }) => total === 0}
        empty={<NoSprinklers farmUID={farmUID} />}
      >
        {(told) => (
          <>
            {told.inContact === 0 ? (
              <NobodyHeard health={told} />
            ) : (
              <Figures farmUID={farmUID} health={told} />
            )}
            <Histories />
          </>
        )}
      </StateView>
    </CardFrame>
  );
}

/** As the chart has them from the left. */
const CATEGORIES = [
  { label: 'Clock', type: historyType.clock },
  { label: 'Battery', type: historyType.battery },
  { label: 'Schedule', type: historyType.schedule },
] as const;

/** Each category's history; the same as a click on its columns. */
const Histories = () => (
  <nav className={classes.histories} aria-label="Health history">
    <span>History:</span>
    {CATEGORIES.map(({ label, type }) => (
      <Link key={label} {...openHealth(type)} className={classes.history}>
        {label}
      </Link>
    ))}
  </nav>
);

const NobodyHeard = ({ health: { total } }: { health: SprinklerHealth }) => (
  <Empty title="No sprinkler data to display.">
    {total === 1 ? 'The farm’s sprinkler is' : `All ${total} sprinklers are`} out of contact: how they are
    isn't known.
  </Empty>
);

function Figures({ farmUID, health }: { farmUID: string; health: SprinklerHealth }) {
  const zone = useChartZone(farmUID);
  const option = useCallback(({ scheme }: { scheme: Scheme }) => healthOption(health, scheme), [health]);
  const figures = healthFigures(health);
  const navigate = useNavigate();
  const pick = (nth: number) => {
    const category = CATEGORIES[Math.round(nth)];
    if (category) void navigate(openHealth(category.type));
  };
  return (
    <>
      <p className={classes.basis}>{basisText(health)}</p>
      <Chart
        label="Sprinklers free of errors"
        summary={figures.map(({ name, now }) => `${name} ${percentText(now)} now.`).join(' ')}
        option={option}
        onPick={pick}
        table={() => ({
          head: ['', 'Minimum', 'Now', 'Maximum'],
          rows: figures.map(({ name, min, now, max }) => [name, ...[min, now, max].map(percentText)]),
        })}
        fileName={`Sprinklers_Health_Report_${farmDay(zone, serverNow())}`}
      />
    </>
  );
}

function basisText({ inContact, total, days, since }: SprinklerHealth): string {
  const units = `Free of each error, in % of the ${inContact} in contact of ${total}.`;
  if (days === 0) return `${units} Minimum and maximum are known from tomorrow on.`;
  if (days >= MONTH_DAYS || since === null) return `${units} Minimum and maximum of the last 30 days.`;
  return `${units} Minimum and maximum since ${dayText(since)}.`;
}
