import { Link } from '@tanstack/react-router';
import type { Timezone } from '@headrace/contract/farms';
import { isAllBehind } from '@headrace/contract/rules/behind';
import { needs } from '@headrace/contract/permissions';
import type { SprinklerInfo } from '@headrace/contract/sprinkler-info';
import { Age } from '../../ui/age.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { useCan } from '../../access/permissions.ts';
import { useChartZone } from '../../time-range/farm-zone.ts';
import { senderOf, shownState, tones, unitNote, commandUnitLabel } from '../commands/command-labels.ts';
import { StateSign } from '../commands/state-sign.tsx';
import { useSprinklerInfo } from './sprinkler-info.queries.ts';
import { TabSkeleton } from './tab-skeleton.tsx';
import type { TabProps } from './unit-tabs.tsx';
import classes from './sprinkler-dialog.module.css';

/** What is under way for it, and how far it is. */
export function CommandsTab({ unit, farmUID }: TabProps) {
  const query = useSprinklerInfo(unit.id, farmUID);
  const zone = useChartZone(farmUID);
  const canRead = useCan(needs.readCommands, farmUID);
  return (
    <StateView query={query} failed="Its commands couldn't be loaded" skeleton={<TabSkeleton />}>
      {({ commands }) => (
        <div className={classes.sections}>
          <section>
            <h3>Under way</h3>
            {commands.length === 0 ? (
              <p className={classes.note}>No command is under way for it.</p>
            ) : (
              <ul className={classes.commands}>
                {commands.map((one) => (
                  <Row key={one.command._id} {...one} {...{ farmUID, zone, canRead }} />
                ))}
              </ul>
            )}
          </section>
          {canRead && (
            <Link to="/commands/$farmUID" params={{ farmUID }} className={classes.link}>
              All commands of this farm
            </Link>
          )}
        </div>
      )}
    </StateView>
  );
}

type RowProps = SprinklerInfo['commands'][number] & { farmUID: string; zone: Timezone; canRead: boolean };

function Row({ command, unit, farmUID, zone, canRead }: RowProps) {
  const note = unitNote(unit, zone);
  return (
    <li data-tone={tones[shownState(unit)]}>
      <StateSign state={shownState(unit)} />
      <div>
        {canRead ? (
          <Link to="/commands/$farmUID" params={{ farmUID }} search={{ command: command._id }}>
            {command.title}
          </Link>
        ) : (
          <b>{command.title}</b>
        )}
        <p>
          {commandUnitLabel(unit, isAllBehind(command.behind))}{' '}
          <Age at={unit.at} zone={zone} className={classes.age} />
        </p>
        {note && <p className={classes.note}>{note}</p>}
      </div>
      <span className={classes.age}>{senderOf(command)}</span>
    </li>
  );
}
