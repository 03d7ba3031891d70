import { useState } from 'react';
import { Button } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { Dialog } from '../forms/dialog.tsx';
import { useIsMobile } from '../ui/use-is-mobile.ts';
import { daysBetween, pickedDayText } from './period.ts';
import classes from './time-range.module.css';

type Range = [from: string, to: string];

export interface RangePickerProps {
  /** Days as YYYY-MM-DD. */
  range: Range;
  /** The farm's today: later days have no data. */
  today: string;
  onApply: (range: Range) => void;
  onClose: () => void;
}

/** Two dates, both needed. */
export default function RangePicker({ range, today, onApply, onClose }: RangePickerProps) {
  const isMobile = useIsMobile();
  const [chosen, setChosen] = useState<[string | null, string | null]>(range);
  const [from, to] = chosen;
  const days = from && to ? daysBetween(from, to) : 0;
  return (
    // A month as large as fingers need is wider than a dialog with margins on the narrowest phones.
    <Dialog onClose={onClose} title="Select date range for sensor data" size={572} isFullScreen={isMobile}>
      <div className={classes.picker}>
        <p className={classes.range} aria-live="polite">
          <span className="num">{from ? pickedDayText(from) : 'First day'}</span>
          <span aria-hidden="true">–</span>
          <span className="num">{to ? pickedDayText(to) : 'Last day'}</span>
          {days > 0 && <span className={classes.days}>{days === 1 ? '1 day' : `${days} days`}</span>}
        </p>
        <DatePicker
          type="range"
          allowSingleDateInRange
          value={chosen}
          onChange={setChosen}
          maxDate={today}
          defaultDate={isMobile ? (range[1] ?? today) : range[0]}
          numberOfColumns={isMobile ? 1 : 2}
          size={isMobile ? 'md' : 'sm'}
          firstDayOfWeek={1}
          weekendDays={[]}
          hideOutsideDates
          ariaLabels={{ previousMonth: 'Previous month', nextMonth: 'Next month' }}
        />
        <div className={classes.pickerActions}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={!from || !to} onClick={() => from && to && onApply([from, to])}>
            Show
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
