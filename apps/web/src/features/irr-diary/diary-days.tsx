import { useState } from 'react';
import type { Timezone } from '@headrace/contract/farms';
import {
  type DiaryDay,
  type DiaryFilter,
  type DiaryLog,
  type DiaryPage,
  troubleOrder,
} from '@headrace/contract/irr-diary';
import { useInfiniteQuery } from '@tanstack/react-query';
import { dayText } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { ShowMore, type ShowMoreProps } from '../../ui/show-more.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { countsText, evennessText, filterNames, meanText, metersText, volumeText } from './diary-labels.ts';
import { diaryQuery } from './diary.queries.ts';
import { LogList } from './log-list.tsx';
import classes from './diary.module.css';

interface DiaryDaysProps {
  farmUID: string;
  zone: Timezone;
  filter: DiaryFilter | 'all';
  group: string | undefined;
  pages: readonly DiaryPage[];
  query: ShowMoreProps['query'];
}

/** What was looked for first, then each day with its groups; as far as the pages reach. */
export function DiaryDays({ farmUID, zone, filter, group, pages, query }: DiaryDaysProps) {
  const logs = pages.flatMap((page) => page.logs);
  const days = pages.flatMap((page) => page.days);
  const last = days.at(-1);
  const reach = query.hasNextPage && last ? `, back to ${dayText(last.day)} so far` : '';
  return (
    <>
      <Panel title={`${filterNames[filter]}${reach}`}>
        {logs.length === 0 ? (
          <p className={classes.note}>
            {noneText(filter, days.length === 0)}
            {reach}.
          </p>
        ) : (
          byDay(logs).map(([day, of]) => (
            <section key={day} aria-label={dayText(day)}>
              <h3 className={classes.day}>{dayText(day)}</h3>
              <LogList {...{ farmUID, zone, logs: of }} label={`${filterNames[filter]} on ${dayText(day)}`} />
            </section>
          ))
        )}
      </Panel>
      <Panel title="Day by day">
        {days.map((day) => (
          <Day key={day.day} {...{ farmUID, zone, day, group }} />
        ))}
        <ShowMore query={query} label="Earlier days" failed="They couldn't be loaded." />
        <p className={classes.note}>
          mm are reckoned from minutes, at what each group was set to give then, as of a full circle; nothing
          is taken off for wind and evaporation. Evenness is the lowest quarter of sprinklers against the mean
          of all, between sprinklers; it is not the DU of a bucket test. Means leave out part sprinklers and
          those of which something is not known.
        </p>
      </Panel>
    </>
  );
}

/** Days of which nothing is known are not days on which all went well. */
function noneText(filter: DiaryFilter | 'all', isUnknown: boolean): string {
  if (isUnknown) return 'No watering of these days is known';
  return filter === 'troubles' ? 'All went as planned, as far as is known' : 'There is none of these';
}

/** The newest day first, and of a day the worst first. */
function byDay(logs: readonly DiaryLog[]): [string, DiaryLog[]][] {
  const days = new Map<string, DiaryLog[]>();
  for (const log of logs) days.set(log.day, [...(days.get(log.day) ?? []), log]);
  const rank = ({ outcome }: DiaryLog) => troubleOrder.indexOf(outcome) + 1 || troubleOrder.length + 1;
  return [...days].map(([day, of]) => [day, of.toSorted((one, other) => rank(one) - rank(other))]);
}

interface DayProps {
  farmUID: string;
  zone: Timezone;
  day: DiaryDay;
  group: string | undefined;
}

function Day({ farmUID, zone, day, group }: DayProps) {
  const meters = metersText(day);
  const facts = [meanText(day), evennessText(day), volumeText(day.litres)].filter(Boolean).join(', ');
  return (
    <section className={classes.daySums} aria-label={`${dayText(day.day)} by group`}>
      <h3 className={classes.day}>{dayText(day.day)}</h3>
      <p className={classes.sum}>
        <b className="num">{countsText(day)}</b> <span className="num">{facts}.</span>
        {meters && <span className="num"> Meters that day: {meters}.</span>}
      </p>
      <ul className={classes.groups}>
        {day.groups
          .filter(({ uid }) => group === undefined || uid === group)
          .map((one) => (
            <Group key={one.uid ?? ''} {...{ farmUID, zone, day: day.day }} sum={one} />
          ))}
      </ul>
    </section>
  );
}

interface GroupProps {
  farmUID: string;
  zone: Timezone;
  day: string;
  sum: DiaryDay['groups'][number];
}

/** A group on a day; its sprinklers are asked for once it is opened. */
function Group({ farmUID, zone, day, sum }: GroupProps) {
  const [isOpen, setIsOpen] = useState(false);
  const name = sum.name || 'Without a group';
  const facts = [meanText(sum), evennessText(sum), volumeText(sum.litres)].filter(Boolean).join(', ');
  return (
    <li>
      <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary className={classes.group}>
          <b>{name}</b>
          <span className="num">{countsText(sum)}</span>
          <span className="num">{facts}</span>
        </summary>
        {isOpen && <GroupLogs {...{ farmUID, zone, day, name }} group={sum.uid} />}
      </details>
    </li>
  );
}

interface GroupLogsProps {
  farmUID: string;
  zone: Timezone;
  day: string;
  name: string;
  group: string | null;
}

function GroupLogs({ farmUID, zone, day, name, group }: GroupLogsProps) {
  const query = useInfiniteQuery(
    diaryQuery(farmUID, { start: day, stop: day, ...(group !== null && { group }) }),
  );
  return (
    <StateView
      query={query}
      failed={`The waterings of ${name} couldn't be loaded`}
      skeleton={<Skeleton blocks={3} blockPx={52} />}
    >
      {({ pages }) => (
        <>
          <LogList
            {...{ farmUID, zone }}
            label={`${name} on ${dayText(day)}`}
            logs={pages.flatMap(({ logs }) => logs).filter((log) => group !== null || log.group === '')}
          />
          <ShowMore query={query} label="More of this day" failed="They couldn't be loaded." />
        </>
      )}
    </StateView>
  );
}
