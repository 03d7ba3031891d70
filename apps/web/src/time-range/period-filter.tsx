import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import type { Timezone } from '@headrace/contract/farms';
import { Segmented } from '../ui/segmented.tsx';
import { serverNow } from '../api/server-time.ts';
import {
  farmDay,
  isChosen,
  lastDays,
  periods,
  pickedDayText,
  type Period,
  type PeriodChoice,
} from './period.ts';
import { lazyDialog } from '../ui/lazy-dialog.tsx';
import classes from './time-range.module.css';

const RangePicker = lazyDialog(() => import('./range-picker.tsx').then((m) => m.default));

export interface PeriodFilterProps {
  choice: PeriodChoice;
  zone: Timezone;
  onChange: (choice: PeriodChoice) => void;
  /** What Custom shows until dates are chosen, where that is to be said. */
  unchosen?: string | undefined;
  /** All of them unless said. */
  offered?: readonly Period[];
}

/** Which days a chart shows. Custom asks for two dates first. */
export function PeriodFilter({
  choice,
  zone,
  onChange,
  unchosen = 'Select dates',
  offered = periods,
}: PeriodFilterProps) {
  const [isPicking, setIsPicking] = useState(false);
  const today = farmDay(zone, serverNow());
  const choose = (period: string) => {
    if (period === 'Custom') setIsPicking(true);
    else onChange({ period: period as Period });
  };
  const { from, to } = choice;
  const range: [string, string] = isChosen(choice) && from && to ? [from, to] : lastDays(today);
  return (
    <div className={classes.filter}>
      <Segmented
        aria-label="Time period"
        data={[...offered]}
        value={choice.period}
        onChange={choose}
        className={classes.segments}
      />
      {choice.period === 'Custom' && (
        <Button
          variant="subtle"
          size="compact-md"
          className={classes.dates ?? ''}
          leftSection={<IconCalendar size={18} aria-hidden="true" />}
          onClick={() => setIsPicking(true)}
        >
          {isChosen(choice) ? `${pickedDayText(range[0])} to ${pickedDayText(range[1])}` : unchosen}
        </Button>
      )}
      {isPicking && (
        <RangePicker
          range={range}
          today={today}
          onClose={() => setIsPicking(false)}
          onApply={([from, to]) => {
            setIsPicking(false);
            onChange({ period: 'Custom', from, to });
          }}
        />
      )}
    </div>
  );
}
