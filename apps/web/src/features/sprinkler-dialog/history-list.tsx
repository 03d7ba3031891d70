import { IconBattery3, IconDroplet, IconTransfer } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import type { Timezone } from '@headrace/contract/farms';
import { needs } from '@headrace/contract/permissions';
import { dayStart } from '@headrace/contract/rules/farm-time';
import { useCan } from '../../access/permissions.ts';
import { useNow } from '../../ui/clock.ts';
import { minuteText } from '../../ui/format.ts';
import { useGrowing } from '../../ui/use-growing.ts';
import { dayName } from '../commands/command-times.ts';
import { senderOf, shownState, unitNote, commandUnitLabel } from '../commands/command-labels.ts';
import { StateSign } from '../commands/state-sign.tsx';
import { byDay, type HistoryEntry } from './history-entries.ts';
import { depthLabel, runText } from './schedule-labels.ts';
import classes from './history-tab.module.css';

/** Rows that are drawn at once; of hundreds the rest follows. */
const ROWS_AT_ONCE = 60;

interface HistoryListProps {
  entries: readonly HistoryEntry[];
  farmUID: string;
  zone: Timezone;
}

/** What happened, under the day on which it did. */
export function HistoryList({ entries, farmUID, zone }: HistoryListProps) {
  const now = useNow();
  const today = dayStart(zone, now);
  const canRead = useCan(needs.readCommands, farmUID);
  const drawn = useGrowing(entries.length, ROWS_AT_ONCE);
  return byDay(entries.slice(0, drawn), zone).map(({ start, entries }) => (
    <section key={start}>
      <h3>{dayName(start, today, zone)}</h3>
      <ul className={classes.rows}>
        {entries.map((entry) => (
          <Row key={entry.key} {...{ entry, farmUID, zone, now, canRead }} />
        ))}
      </ul>
    </section>
  ));
}

interface RowProps {
  entry: HistoryEntry;
  farmUID: string;
  zone: Timezone;
  now: number;
  canRead: boolean;
}

function Row({ entry, farmUID, zone, now, canRead }: RowProps) {
  const at = minuteText(entry.at, zone);
  switch (entry.kind) {
    case 'run': {
      const { times, how, mm } = runText(entry.run, zone, now);
      const depth = mm === null ? '' : `${depthLabel(mm)}; `;
      return (
        <Entry sign={<IconDroplet size={20} stroke={1.9} aria-hidden="true" />} title={times}>
          Watering: {depth}
          {how}
        </Entry>
      );
    }
    case 'command': {
      const { command, unit } = entry.of;
      const note = unitNote(unit, zone);
      const text = `${commandUnitLabel(unit)} ${minuteText(Date.parse(unit.at), zone)}${note && `: ${note}`}`;
      const title = canRead ? (
        <Link to="/commands/$farmUID" params={{ farmUID }} search={{ command: command._id }}>
          {command.title}
        </Link>
      ) : (
        command.title
      );
      return (
        <Entry sign={<StateSign state={shownState(unit)} />} title={title} at={at} by={senderOf(command)}>
          {text}
        </Entry>
      );
    }
    case 'swap': {
      const { from, to, by } = entry.swap;
      return (
        <Entry
          sign={<IconTransfer size={20} stroke={1.9} aria-hidden="true" />}
          title="Unit replaced"
          {...{ at, by }}
        >
          {`${to} took the place of ${from}`}
        </Entry>
      );
    }
    case 'battery':
      return (
        <Entry
          sign={<IconBattery3 size={20} stroke={1.9} aria-hidden="true" />}
          title="Battery replaced"
          at={at}
          by={entry.battery.by}
        />
      );
    default:
      return entry satisfies never;
  }
}

interface EntryProps {
  sign: ReactNode;
  title: ReactNode;
  /** "14:05"; left out where the title has it. */
  at?: string;
  by?: string;
  children?: ReactNode;
}

function Entry({ sign, title, at, by, children }: EntryProps) {
  return (
    <li>
      {sign}
      <div>
        <b className="num">{title}</b>
        {children && <p>{children}</p>}
      </div>
      {(at || by) && (
        <span>
          {at && <span className="num">{at}</span>}
          {by}
        </span>
      )}
    </li>
  );
}
