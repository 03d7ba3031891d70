import type { ReactNode } from 'react';
import type { Timezone } from '@headrace/contract/farms';
import type { IpcStatus } from '@headrace/contract/groups';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { plannedWords } from './now-words.ts';
import { clockWords, heldWords } from './unit-words.ts';
import classes from './sprinkler-dialog.module.css';

/** On what the sentence of Now rests: what was said, what it holds, and what is planned, each named as what it is. */
export function Evidence({ unit, zone }: { unit: IpcStatus; zone: Timezone | null }) {
  const planned = plannedWords(unit, zone, useNow());
  const heard = <Age at={unit.statustime || null} zone={zone} never="" />;
  return (
    <dl className={classes.evidence} aria-label="Why">
      <Line kind="said" name="It said">
        {unit.valveOpen === null ? (
          'Nothing of its valve'
        ) : (
          <Age at={unit.valveAt || null} zone={zone}>
            {unit.valveOpen ? 'Valve open' : 'Valve closed'}
          </Age>
        )}
      </Line>
      <Line kind="said" name="It was heard">
        <Age at={unit.statustime || null} zone={zone} />
      </Line>
      <Line kind="said" name="It holds">
        {heldWords(unit)} {unit.ipc_crc !== null && heard}
      </Line>
      {unit.clock !== null && (
        <Line kind="said" name="Its clock">
          {clockWords(unit.clock)} {heard}
        </Line>
      )}
      <Line kind="planned" name="Its schedule">
        {unit.isInhibited ? 'Runs nothing while it is inhibited' : (planned ?? 'Has no watering for it')}
      </Line>
    </dl>
  );
}

function Line({ kind, name, children }: { kind: 'said' | 'planned'; name: string; children: ReactNode }) {
  return (
    <div data-kind={kind}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
