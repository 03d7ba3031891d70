import { useCallback, useMemo } from 'react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FarmCard, Timezone } from '@headrace/contract/farms';
import type { Settings, StressBand } from '@headrace/contract/settings';
import type { SoilReading, SoilSite } from '@headrace/contract/soil-moisture';
import { serverNow } from '../../api/server-time.ts';
import { Chart } from '../../charts/chart.tsx';
import type { LegendEntry } from '../../charts/legend.tsx';
import type { Pinch } from '../../charts/pinch.ts';
import { soilColour, soilOption, soilText } from '../../charts/soil-chart.ts';
import { soilSeries, type SoilSeries, type SoilSpan } from '../../charts/soil-series.ts';
import { pointTime } from '../../charts/time-axis.ts';
import { numberText } from '../../ui/format.ts';
import { Empty, StateView } from '../../ui/state-view.tsx';
import type { Scheme } from '../../ui/tokens.ts';
import { saveSettings } from '../../preferences/settings.queries.ts';
import { farmDay, windowOf, type PeriodChoice } from '../../time-range/period.ts';
import { soilDays, zoomed } from './soil-days.ts';
import { linesOf, markOf } from './soil-lines.ts';
import { keepPlot, plotOf } from './soil-plot.ts';
import { soilHistoryQuery } from './soil.queries.ts';
import classes from './soil-card.module.css';

export interface SoilHistoryProps {
  farm: FarmCard;
  site: SoilSite;
  settings: Settings;
  bands: readonly StressBand[];
  choice: PeriodChoice;
  onChoice: (choice: PeriodChoice) => void;
  zone: Timezone;
}

/** A site's tension, rain and temperature over the chosen days. */
export function SoilHistory(props: SoilHistoryProps) {
  const { site, choice, zone } = props;
  const query = useQuery({
    ...soilHistoryQuery(site.id, soilDays(choice, farmDay(zone, serverNow()))),
    // What is known of the new days stands while the rest comes: the chart stays under the fingers that asked for it.
    placeholderData: keepPreviousData,
  });
  return (
    <StateView
      query={query}
      failed="The soil moisture history couldn't be loaded"
      skeleton={<div className={classes.skeleton} aria-hidden="true" />}
      isEmpty={({ readings }) => readings.length === 0 && !query.isPlaceholderData}
      empty={<NoReadings />}
    >
      {({ readings, span }) => (
        <div className={classes.history} aria-busy={query.isPlaceholderData}>
          <SoilChartOf {...props} readings={readings} span={span} isWaiting={query.isPlaceholderData} />
        </div>
      )}
    </StateView>
  );
}

const NoReadings = () => <Empty title="No data">The site reported nothing on these days.</Empty>;

interface SoilChartProps extends SoilHistoryProps {
  readings: readonly SoilReading[];
  span: SoilSpan;
  /** These are the readings of the days before; the new ones are on their way. */
  isWaiting: boolean;
}

function SoilChartOf(props: SoilChartProps) {
  const { site, bands, choice, zone, span, isWaiting, onChoice } = props;
  const { period, from, to } = choice;
  const { series, frame } = useMemo(() => {
    const window = windowOf({ period, from, to }, zone, serverNow(), []);
    const within = props.readings.filter(({ dateTime }) => Date.parse(dateTime) >= window.from);
    return { series: soilSeries(within, span, zone), frame: window };
  }, [props.readings, span, zone, period, from, to]);
  const { lines, legend } = useLines(props, series);
  const isDaily = span === 'day';
  const option = useCallback(
    ({ width, scheme }: { width: number; scheme: Scheme }) =>
      soilOption({ series, lines, bands }, { ...frame, zone, scheme, width, isDaily }),
    [series, lines, bands, frame, zone, isDaily],
  );
  const pinch = useCallback(
    (turn: Pinch) => {
      const next = zoomed(period, turn);
      if (next !== period) onChoice({ period: next });
    },
    [period, onChoice],
  );
  if (series.rows.length === 0 && !isWaiting) return <NoReadings />;
  return (
    <Chart
      label={`Soil moisture of ${site.name}`}
      summary={summaryOf(series)}
      option={option}
      legend={legend}
      onPinch={pinch}
      table={() => ({
        head: ['Time', ...lines.map(({ name }) => name)],
        rows: series.rows.map((row) => [
          pointTime(zone, row.at, isDaily),
          ...lines.map(({ id }) => soilText(id, row, series)),
        ]),
      })}
      fileName={`${site.name}_Soil-moisture_${farmDay(zone, serverNow())}`}
    />
  );
}

/** What the chart shows of what there is, as it is kept for this site. */
function useLines({ farm, site, settings }: SoilHistoryProps, series: SoilSeries) {
  const queryClient = useQueryClient();
  const plot = plotOf(settings, farm._id, site.id);
  // By its words: the settings are another object after each change, of whatever.
  const on = Object.entries(plot).flatMap(([id, isOn]) => (isOn ? [id] : []));
  const key = on.join(' ');
  const lines = useMemo(
    () => linesOf(series, site).filter(({ id }) => key.split(' ').includes(id)),
    [series, site, key],
  );
  const legend = linesOf(series, site).map(
    ({ id, name }): LegendEntry => ({
      id,
      name,
      mark: markOf(id),
      colour: (palette) => soilColour(id, palette),
      isOn: plot[id],
      onToggle: () => saveSettings(queryClient, keepPlot(settings, farm, site.id, id, !plot[id])),
    }),
  );
  return { lines, legend };
}

function summaryOf({ rows, peak, rainDays }: SoilSeries): string {
  const mm = rainDays.reduce((sum, bin) => sum + bin.mm, 0);
  const rain = rainDays.length === 0 ? '' : ` ${numberText(mm, 1)} millimetres of rain fell.`;
  if (peak === null) return `No soil moisture is known in ${rows.length} readings.${rain}`;
  return `The soil was at ${numberText(peak)} kilopascals at its driest.${rain}`;
}
