import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Timezone } from '@headrace/contract/farms';
import { addDays } from '@headrace/contract/rules/farm-time';
import { PlainButton } from '../../ui/plain-button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { farmDay } from '../../time-range/period.ts';
import type { Axis } from './axis.ts';
import { DaySteps } from './day-steps.tsx';
import { farmSetsQuery } from '../../device-records/choices.queries.ts';
import { weekday } from '../../ui/weekday.ts';
import type { ScheduleViewSearch, Span } from './view-search.ts';
import classes from './timeline.module.css';

export interface TimelineBarProps {
  farmUID: string;
  axis: Axis;
  span: Span;
  zone: Timezone;
  search: ScheduleViewSearch;
  patch: (change: Partial<ScheduleViewSearch>) => void;
}

const spanLabels: Record<Span, string> = { '24': '24 h', '48': '48 h', '168': '7 days' };

/** Which days are shown, how many, and by which plan. */
export function TimelineBar({ farmUID, axis, span, zone, search, patch }: TimelineBarProps) {
  const { data: sets = [] } = useQuery(farmSetsQuery(farmUID));
  const days = Number(span) / 24;
  const go = (by: number) => patch({ date: farmDay(zone, addDays(zone, axis.from, by)) });
  return (
    <div className={classes.bar}>
      <DaySteps before="Earlier" after="Later" onStep={(by) => go(by * days)}>
        <strong className={classes.day}>{weekday(axis.from, zone)}</strong>
      </DaySteps>
      {search.date !== undefined && (
        <PlainButton onClick={() => patch({ date: undefined })}>Today</PlainButton>
      )}
      <Segmented
        aria-label="How long"
        value={span}
        onChange={(hours) => patch({ hours })}
        data={(['24', '48', '168'] as const).map((value) => ({ value, label: spanLabels[value] }))}
      />
      {sets.length > 0 && (
        <NativeSelect
          aria-label="By which plan"
          value={search.set ?? ''}
          data={[
            { value: '', label: 'What sprinklers hold' },
            ...sets.map(({ id, name }) => ({ value: id, label: `As if all held ${name}` })),
          ]}
          onChange={(event) => patch({ set: event.currentTarget.value || undefined })}
        />
      )}
    </div>
  );
}
