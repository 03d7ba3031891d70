import type { SprinklerInfo } from '@headrace/contract/sprinkler-info';
import { useMissing } from '../../api/reach.ts';
import { useFarmZone } from '../../farm/current-farm.ts';
import { Age } from '../../ui/age.tsx';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { AfterBattery } from '../sprinkler-dialog/after-battery.tsx';
import { useSprinklerInfo } from '../sprinkler-dialog/sprinkler-info.queries.ts';
import { useUnitCommands } from '../sprinkler-dialog/use-unit-commands.ts';
import { type Done, forgetDone, markDone } from './done-here.ts';
import classes from './walk-list.module.css';

/** What was changed from this browser, and whether the units kept what they held. */
export function DoneList({ farmUID, done }: { farmUID: string; done: readonly Done[] }) {
  const isAway = useMissing() !== null;
  const kept = done.filter(({ state }) => state === 'kept').length;
  if (done.length === 0) return null;
  return (
    <Panel title="Changed from here">
      {kept > 0 && (
        <p className={classes.kept} role="status">
          <ConditionDot condition="caution" label={null} size={15} />{' '}
          {kept === 1 ? '1 new battery is' : `${kept} new batteries are`} kept in this browser and not
          recorded yet
          {isAway ? ': they are sent when there is a connection again. Don’t sign out before.' : '…'}
        </p>
      )}
      <ul className={classes.done} aria-label="Changed from here">
        {done.map((one) => (
          <li key={`${one.id} ${one.at}`}>
            <Entry farmUID={farmUID} done={one} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const stateLabel: Record<Done['state'], string> = {
  kept: 'Not recorded yet',
  recorded: 'Battery replacement recorded successfully!',
  refused: "Sorry, coudn't record the battery replacement. Please, try again.",
};

function Entry({ farmUID, done }: { farmUID: string; done: Done }) {
  const { state, device, id, name, at, why } = done;
  return (
    <>
      <h2 className={classes.name}>
        <ConditionDot condition={state === 'recorded' ? 'ok' : 'caution'} label={null} size={15} /> {name}
        <Age at={at} className={classes.dim} />
      </h2>
      <p className={classes.dim}>
        {stateLabel[state]} {why}
      </p>
      {state === 'refused' && (
        <div className={classes.ways}>
          <PlainButton
            label={`Try again to record it for ${name}`}
            onClick={() => {
              forgetDone(done);
              void markDone(done);
            }}
          >
            Try again
          </PlainButton>
          <PlainButton label={`Forget it for ${name}`} onClick={() => forgetDone(done)}>
            Forget it
          </PlainButton>
        </div>
      )}
      {state === 'recorded' && device === 'sprinkler' && <After farmUID={farmUID} id={id} replacedAt={at} />}
    </>
  );
}

function After({ farmUID, id, replacedAt }: { farmUID: string; id: string; replacedAt: number }) {
  const { data: info } = useSprinklerInfo(id, farmUID);
  return info ? <Check {...{ farmUID, info, replacedAt }} /> : null;
}

function Check({ farmUID, info, replacedAt }: { farmUID: string; info: SprinklerInfo; replacedAt: number }) {
  const zone = useFarmZone(farmUID);
  const commands = useUnitCommands(farmUID, info, true);
  return (
    <>
      <AfterBattery {...{ farmUID, info, replacedAt, zone, commands }} />
      <p role="status" className={classes.dim}>
        {commands.refused}
      </p>
    </>
  );
}
