import type { SoilSite } from '@headrace/contract/soil-moisture';
import { soilProbes } from '@headrace/contract/rules/soil-moisture';
import type { Mark } from '../../charts/legend.tsx';
import type { SoilLine, SoilLineId } from '../../charts/soil-chart.ts';
import type { SoilSeries } from '../../charts/soil-series.ts';
import { probeName } from './probe-name.ts';

/** What there is to show: the first two probes always, the rest where the site reports it. */
export function linesOf(series: SoilSeries, site: Pick<SoilSite, 'swp1_name' | 'swp2_name'>): SoilLine[] {
  const { rows, rainDays, rainHours } = series;
  const lines: SoilLine[] = soilProbes
    .filter(
      (probe) =>
        probe === 'swp1' || probe === 'swp2' || rows.some(({ tensions }) => tensions[probe] !== null),
    )
    .map((probe) => ({ id: probe, name: probeName(probe, site) }));
  if (rows.some(({ average }) => average !== null)) lines.push({ id: 'average', name: 'Average' });
  if (rows.some(({ temperature }) => temperature !== null))
    lines.push({ id: 'temperature', name: 'Temperature' });
  if (rainDays.length > 0) lines.push({ id: 'rain', name: 'Rain per day' });
  if (rainHours.length > 0) lines.push({ id: 'rainHourly', name: 'Rain per hour' });
  if (rainDays.length > 0) lines.push({ id: 'rainAccumulated', name: 'Rain accumulated' });
  return lines;
}

export function markOf(id: SoilLineId): Mark {
  if (id === 'rain') return 'area';
  if (id === 'rainHourly') return 'column';
  if (id === 'average' || id === 'rainAccumulated') return 'dotted';
  return id === 'temperature' ? 'thin' : 'line';
}
