import { Link } from '@tanstack/react-router';
import type { Command } from '@headrace/contract/commands';
import { howFarText } from './how-far.ts';
import { targetName, WHOLE_FARM } from '@headrace/contract/rules/target-name';
import { useNow } from '../../ui/clock.ts';
import { numberText } from '../../ui/format.ts';
import { useChartZone } from '../../time-range/farm-zone.ts';
import { behindText } from './behind.ts';
import { shortFinish } from './finish-labels.ts';
import { ProgressBar } from './progress-bar.tsx';
import { useUnderWay } from './under-way.queries.ts';
import classes from './under-way.module.css';

interface Props {
  farmUID: string;
  /** Of this group alone; null: of no group… */
  groupUID?: string | null | undefined;
  /** …and of the whole farm. */
  hasFarm?: boolean;
}

/** The rest is one tap away. */
const SHOWN = 2;

/** How far commands to many sprinklers are: nothing while none is under way. Each leads to all that is known of it. */
export function UnderWay({ farmUID, groupUID, hasFarm = false }: Props) {
  const all = useUnderWay(farmUID);
  const zone = useChartZone(farmUID);
  const now = useNow();
  const isShown = (command: Command) =>
    groupUID === undefined ||
    command.groupUID === groupUID ||
    (hasFarm && targetName(command) === WHOLE_FARM);
  const commands = all.filter(isShown);
  if (commands.length === 0) return null;
  const more = commands.length - SHOWN;
  return (
    <ul className={classes.list} aria-label="Under way">
      {commands.slice(0, SHOWN).map((command) => (
        <li key={command._id}>
          <Link
            to="/commands/$farmUID"
            params={{ farmUID }}
            search={{ command: command._id }}
            className={classes.way}
          >
            {`${command.title}, ${targetName(command)}`}
          </Link>
          <span className="num">{howFar(command, shortFinish(command.finish, zone, now))}</span>
          <ProgressBar command={command} />
        </li>
      ))}
      {more > 0 && (
        <li>
          <Link to="/commands/$farmUID" params={{ farmUID }} className={classes.way}>
            {`${numberText(more)} more under way`}
          </Link>
        </li>
      )}
    </ul>
  );
}

/** "412 of 930 done, 3 failed; done about 14:20". */
function howFar(command: Command, finish: string): string {
  const texts = [howFarText(command), behindText(command.behind), finish && `all ${finish}`];
  return texts.filter(Boolean).join('; ');
}
