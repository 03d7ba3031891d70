import type { Timezone } from '@headrace/contract/farms';

const weekdays = new Map<string, Intl.DateTimeFormat>();
/** "Tue 24 Nov". */
export function weekday(at: number, { timeZoneId }: Timezone): string {
  let format = weekdays.get(timeZoneId);
  if (!format) {
    format = new Intl.DateTimeFormat('en-NZ', {
      timeZone: timeZoneId,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
    });
    weekdays.set(timeZoneId, format);
  }
  return format.format(at).replace(',', '');
}
