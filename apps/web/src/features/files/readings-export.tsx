import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import type { Each } from '@headrace/contract/exports';
import type { Timezone } from '@headrace/contract/farms';
import { READINGS_FILE_DAYS } from '@headrace/contract/limits';
import { download, errorText } from '../../api/client.ts';
import { serverNow } from '../../api/server-time.ts';
import { useFarmZone } from '../../farm/current-farm.ts';
import { DayField } from '../../forms/day-field.tsx';
import { daysBetween, farmDay, lastDays, pickedDayText } from '../../time-range/period.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Segmented } from '../../ui/segmented.tsx';
import classes from './files.module.css';

const rowsOf: readonly { readonly value: Each; readonly label: string }[] = [
  { value: 'day', label: 'Days' },
  { value: 'hour', label: 'Hours' },
  { value: 'reading', label: 'Each reading' },
];

/** What devices have said, in days by the farm's clock. */
export function ReadingsExport({ farmUID }: { farmUID: string }) {
  const zone = useFarmZone(farmUID);
  return zone && <ReadingsForm farmUID={farmUID} zone={zone} />;
}

function ReadingsForm({ farmUID, zone }: { farmUID: string; zone: Timezone }) {
  const [first, last] = lastDays(farmDay(zone, serverNow()));
  const [each, setEach] = useState<Each>('day');
  const [from, setFrom] = useState(first);
  const [to, setTo] = useState(last);
  const fault = faultOf(each, from, to);
  const make = useMutation({
    mutationFn: () =>
      download('GET /export/readings.csv', {
        query: { farmUID, each, startDate: asked(from), endDate: asked(to) },
      }),
    onSuccess: saveFile,
  });
  return (
    <section aria-label="Readings" className={classes.readings}>
      <div className={classes.about}>
        <strong>readings.csv</strong>
        <span>
          What devices have said, with the farm’s time and UTC. Each reading of a year can be hundreds of
          megabytes; days and hours have means, lows and highs.
        </span>
      </div>
      <Segmented aria-label="Rows" data={rowsOf} value={each} onChange={setEach} />
      <div className={classes.days}>
        <DayField
          name="from"
          label="From"
          value={from}
          onChange={setFrom}
          onBlur={noBlur}
          error={fault ?? undefined}
        />
        <DayField name="to" label="To" value={to} onChange={setTo} onBlur={noBlur} error={undefined} />
      </div>
      {make.isError && (
        <span role="alert" className={classes.failed}>
          ERROR: File readings.csv was not created. {errorText(make.error)}
        </span>
      )}
      <PlainButton
        onClick={() => make.mutate()}
        disabled={make.isPending || fault !== null}
        label={`${make.isPending ? 'Creating…' : 'Download'} readings.csv`}
      >
        {make.isPending ? 'Creating…' : 'Download'}
      </PlainButton>
    </section>
  );
}

const noBlur = () => {};
const asked = (day: string) => pickedDayText(day).replaceAll('/', '-');
const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text);

function faultOf(each: Each, from: string, to: string): string | null {
  if (!isDay(from) || !isDay(to)) return 'Enter both days as DD/MM/YYYY.';
  const days = daysBetween(from, to);
  if (days < 1) return 'The last day lies before the first.';
  const most = READINGS_FILE_DAYS[each];
  return days > most ? `These are ${days} days. The most is ${most}.` : null;
}
