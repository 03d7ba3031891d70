import { useCallback, useState } from 'react';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Timezone } from '@headrace/contract/farms';
import { type HealthHistory, HISTORY_DAYS } from '@headrace/contract/health';
import { historyTypes } from '@headrace/contract/rules/health-figures';
import { serverNow } from '../../api/server-time.ts';
import { Chart } from '../../charts/chart.tsx';
import { type CountedDay, healthHistoryOption } from '../../charts/health-history-chart.ts';
import { Dialog } from '../../forms/dialog.tsx';
import { useChartZone, useHasChartZone } from '../../time-range/farm-zone.ts';
import { PeriodFilter } from '../../time-range/period-filter.tsx';
import { farmDay, type PeriodChoice } from '../../time-range/period.ts';
import { useKeptPeriod } from '../../time-range/use-kept-period.ts';
import { dayText, numberText } from '../../ui/format.ts';
import { Empty, StateView } from '../../ui/state-view.tsx';
import type { Scheme } from '../../ui/tokens.ts';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { DayUnits } from './day-units.tsx';
import { countedDays, historyDays, type HistoryDays } from './health-days.ts';
import { useHealthDialog } from './health-search.ts';
import { healthHistoryQuery } from './health.queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './health-history.module.css';

/** How many sprinklers were of a kind, day by day. What is counted, which days and which day's units stand in the address. */
export default function HealthHistoryDialog({ farmUID }: { farmUID: string }) {
  const { search, close } = useHealthDialog();
  const isMobile = useIsMobile();
  const type = useLast(search.health);
  return (
    <Dialog
      title="Sprinkler health history"
      isOpen={search.health !== undefined}
      onClose={close}
      size={880}
      isFullScreen={isMobile}
    >
      {type !== undefined && <History farmUID={farmUID} type={Number(type)} />}
    </Dialog>
  );
}

/** While it fades away it shows what it showed. */
function useLast(type: string | undefined): string | undefined {
  const [last, setLast] = useState(type);
  if (type !== undefined && type !== last) setLast(type);
  return type ?? last;
}

function History({ farmUID, type }: { farmUID: string; type: number }) {
  const { search, patch } = useHealthDialog();
  const zone = useChartZone(farmUID);
  const hasZone = useHasChartZone(farmUID);
  const { kept, keep } = useKeptPeriod(farmUID, 'IPC');
  const { period, from, to } = search;
  const choice: PeriodChoice = period ? { period, from, to } : (kept ?? { period: 'Month' });
  const days = historyDays(choice, farmDay(zone, serverNow()));
  const query = useQuery({ ...healthHistoryQuery(farmUID, { type, ...days }), enabled: hasZone });
  return (
    <>
      <NativeSelect
        label="Count of sprinklers"
        size="md"
        className={classes.type ?? ''}
        value={String(type)}
        data={historyTypes.map((label, value) => ({ value: String(value), label }))}
        onChange={(event) => patch({ health: event.currentTarget.value, day: undefined })}
      />
      <PeriodFilter
        choice={choice}
        zone={zone}
        onChange={({ period, from, to }) => {
          patch({ period, from, to, day: undefined });
          keep({ period, from, to });
        }}
      />
      <StateView
        query={query}
        failed="The health history couldn't be loaded"
        skeleton={<Skeleton blockPx={220} />}
        isEmpty={({ data }) => data.length === 0}
        empty={
          <Empty title="Nothing is known of these days">
            Sprinklers are counted at the end of each day, and these weren't. Choose other days.
          </Empty>
        }
      >
        {(history) => <Counted {...{ farmUID, history, days, zone }} />}
      </StateView>
    </>
  );
}

interface CountedProps {
  farmUID: string;
  history: HealthHistory;
  days: HistoryDays;
  zone: Timezone;
}

function Counted({ farmUID, history, days: { isCut }, zone }: CountedProps) {
  const { search, patch } = useHealthDialog();
  const counted = countedDays(zone, history);
  const known = counted.filter(({ value }) => value !== null);
  return (
    <>
      <HistoryChart {...{ history, zone, counted }} chosen={search.day} onChoose={(day) => patch({ day })} />
      <p className={classes.note}>{noteOf(counted.length, known.length, isCut)}</p>
      <NativeSelect
        label="Sprinklers of a day"
        size="md"
        className={classes.type ?? ''}
        value={search.day ?? ''}
        data={[
          { value: '', label: 'Choose a day' },
          ...known.toReversed().map(({ date, value }) => ({
            value: date,
            label: `${dayText(date)}: ${numberText(value)}`,
          })),
        ]}
        onChange={(event) => patch({ day: event.currentTarget.value || undefined })}
      />
      {known.some(({ date }) => date === search.day) && search.day && (
        <DayUnits {...{ farmUID, history }} day={search.day} />
      )}
    </>
  );
}

function noteOf(asked: number, known: number, isCut: boolean): string {
  const unknown = asked - known;
  return [
    isCut ? `The last ${HISTORY_DAYS.most} days of those chosen.` : '',
    'Counted at the end of each day on the farm’s clock.',
    unknown > 0 ? `Not known: ${unknown} of ${asked} days.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

interface HistoryChartProps {
  history: HealthHistory;
  zone: Timezone;
  counted: readonly CountedDay[];
  chosen: string | undefined;
  onChoose: (day: string) => void;
}

function HistoryChart({ history, zone, counted, chosen, onChoose }: HistoryChartProps) {
  const { description } = history;
  const option = useCallback(
    ({ width, scheme }: { width: number; scheme: Scheme }) => {
      const days = countedDays(zone, history);
      const [from, to] = [days[0]?.start ?? 0, days.at(-1)?.end ?? 0];
      const frame = { zone, scheme, width, from, to, isDaily: true };
      return healthHistoryOption(days, { name: history.description, chosen }, frame);
    },
    [history, zone, chosen],
  );
  const pick = (at: number) => {
    const day = counted.find(({ start, end }) => at >= start && at < end);
    if (day && day.value !== null) onChoose(day.date);
  };
  return (
    <Chart
      label={`${description}: sprinklers by day`}
      summary={summaryOf(description, counted)}
      option={option}
      onPick={pick}
      table={() => ({
        head: ['Day', description],
        rows: counted.map(({ date, value }) => [
          dayText(date),
          value === null ? 'Not known' : numberText(value),
        ]),
      })}
      fileName={`Sprinklers_${description}_${farmDay(zone, serverNow())}`}
    />
  );
}

function summaryOf(description: string, counted: readonly CountedDay[]): string {
  const known = counted.flatMap(({ date, value }) => (value === null ? [] : [{ date, value }]));
  const last = known.at(-1);
  if (!last) return '';
  const most = Math.max(...known.map(({ value }) => value));
  return `${description}: ${numberText(last.value)} on ${dayText(last.date)}, at most ${numberText(most)}.`;
}
