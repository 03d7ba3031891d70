import { DAY_MINUTES } from './plan.ts';

/** A minute of a cycle as the time of its day, HH:mm. */
export function clockText(minute: number): string {
  const [hours, minutes] = [Math.floor((minute % DAY_MINUTES) / 60), minute % 60];
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}
