import type { Timezone } from '@headrace/contract/farms';
import { useFarmZone } from '../../farm/current-farm.ts';
import { useNow } from '../../ui/clock.ts';
import { foreignZone } from '../../ui/format.ts';
import classes from './alerts.module.css';

/** Sentences have the farm's clock: whose that isn't is told which one that is. */
export function FarmClockNote({ farmUID }: { farmUID: string }) {
  return <ClockNote zone={useFarmZone(farmUID)} />;
}

export function ClockNote({ zone }: { zone: Timezone | null | undefined }) {
  const now = useNow();
  const name = zone ? foreignZone(zone, now) : '';
  return name === '' ? null : <p className={classes.facts}>Times are by the farm&apos;s clock ({name}).</p>;
}
