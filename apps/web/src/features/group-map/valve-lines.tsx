import type { Timezone } from '@headrace/contract/farms';
import type { IpcStatus } from '@headrace/contract/groups';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { plannedWords, takenWords } from './valve-words.ts';
import classes from './group-map.module.css';

/** What the unit said of its valve, what is concluded, and what its schedule has: each named as what it is. */
export function ValveLines({ unit, zone }: { unit: IpcStatus; zone: Timezone | null | undefined }) {
  const now = useNow();
  const taken = takenWords(unit, zone, now);
  const planned = plannedWords(unit, zone, now);
  return (
    <dl className={classes.valve} aria-label="Valve">
      <div data-kind="said">
        <dt>It said</dt>
        <dd>
          {unit.valveOpen === null ? (
            'Nothing of its valve'
          ) : (
            <Age at={unit.valveAt} zone={zone}>
              {unit.valveOpen ? 'Valve open' : 'Valve closed'}
            </Age>
          )}
        </dd>
      </div>
      {taken && (
        <div data-kind="taken">
          <dt>We conclude</dt>
          <dd>{taken}</dd>
        </div>
      )}
      {planned && (
        <div data-kind="planned">
          <dt>Its schedule</dt>
          <dd>{planned}</dd>
        </div>
      )}
    </dl>
  );
}
