import type { Timezone } from '@headrace/contract/farms';
import type { SprinklerInfo } from '@headrace/contract/sprinkler-info';
import { dayStart } from '@headrace/contract/rules/farm-time';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { minuteText } from '../../ui/format.ts';
import { StateView } from '../../ui/state-view.tsx';
import { useChartZone } from '../../time-range/farm-zone.ts';
import { dayName } from '../commands/command-times.ts';
import { RunList } from './run-list.tsx';
import { depthText, entryLabel, fateText, heldName, noneAheadText } from './schedule-labels.ts';
import { useSprinklerInfo } from './sprinkler-info.queries.ts';
import { TabSkeleton } from './tab-skeleton.tsx';
import type { TabProps } from './unit-tabs.tsx';
import { ownSwipe } from './use-steps.ts';
import classes from './sprinkler-dialog.module.css';

/** When it waters next by what it holds, that beside what it is to hold where they differ, and when it watered last. */
export function ScheduleTab({ unit, farmUID }: TabProps) {
  const query = useSprinklerInfo(unit.id, farmUID);
  const zone = useChartZone(farmUID);
  return (
    <StateView query={query} failed="Its schedule couldn't be loaded" skeleton={<TabSkeleton />}>
      {(info) => (
        <div className={classes.sections}>
          <Ahead info={info} zone={zone} />
          <Programmes info={info} zone={zone} />
          <section>
            <h3>Last waterings</h3>
            <RunList runs={info.runs} zone={zone} empty="None was heard of it yet." />
          </section>
        </div>
      )}
    </StateView>
  );
}

interface PartProps {
  info: SprinklerInfo;
  zone: Timezone;
}

function Ahead({ info, zone }: PartProps) {
  const now = useNow();
  const today = dayStart(zone, now);
  return (
    <section>
      <h3>Next waterings</h3>
      {info.next.length === 0 ? (
        <p className={classes.note}>{noneAheadText(info.held)}</p>
      ) : (
        <div className={classes.scroll} {...ownSwipe}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col">Start</th>
                <th scope="col">Minutes</th>
                <th scope="col">About mm</th>
                <th scope="col">What is known</th>
              </tr>
            </thead>
            <tbody>
              {info.next.map((next) => (
                <tr key={next.startAt} data-kind={next.fate.kind}>
                  <td>{aheadDay(next.startAt, today, zone)}</td>
                  <td className="num">{minuteText(next.startAt, zone)}</td>
                  <td className="num">{next.duration}</td>
                  <td className="num">{depthText(next.duration * info.mmPerMin)}</td>
                  <td>{fateText(next, info.clock, now, zone)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

const DAY_MS = 86_400_000;

/** "Tomorrow" beside the names of past days. */
function aheadDay(at: number, today: number, zone: Timezone): string {
  const isTomorrow = dayStart(zone, at - DAY_MS) === today && dayStart(zone, at) !== today;
  return isTomorrow ? 'Tomorrow' : dayName(at, today, zone);
}

function Programmes({ info: { wanted, held }, zone }: PartProps) {
  const isOther = wanted !== null && held.state !== 'wanted';
  return (
    <section>
      <h3>{isOther ? 'What it holds is not what it is to hold' : 'What it holds'}</h3>
      <div className={classes.programmes}>
        <div data-kind="said">
          <h4>Holds: {heldName(held)}</h4>
          {held.since !== null && (
            <p className={classes.note}>
              <Age at={held.since} zone={zone}>
                {held.how === 'answered' ? 'It answered so first' : 'It said so first'}
              </Age>
            </p>
          )}
          <EntryList entries={held.entries} cycleDays={held.cycleDays} />
        </div>
        {isOther && (
          <div data-kind="planned">
            <h4>
              Is to hold: {wanted.entries.length === 0 ? 'No schedule' : (wanted.setName ?? 'A schedule')}
            </h4>
            <p className={classes.note}>
              <Age at={wanted.since} zone={zone}>
                {wanted.scheduleGroup ? `${wanted.scheduleGroup}, sent` : 'Sent'}
              </Age>
            </p>
            <EntryList entries={wanted.entries} cycleDays={wanted.cycleDays} />
          </div>
        )}
      </div>
    </section>
  );
}

function EntryList({ entries, cycleDays }: Pick<SprinklerInfo['held'], 'entries' | 'cycleDays'>) {
  if (entries === null) return null;
  return (
    <ul className={classes.entries}>
      {entries.map((entry) => (
        <li key={`${entry.cycle}/${entry.start}`} className="num">
          {entryLabel(entry, cycleDays)}
        </li>
      ))}
    </ul>
  );
}
