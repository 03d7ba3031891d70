import { useState } from 'react';
import { NativeSelect } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { diaryFilters } from '@headrace/contract/irr-diary';
import { can } from '@headrace/contract/permissions';
import { mayAnnex } from '@headrace/contract/rules/may-annex';
import { useCan } from '../../access/permissions.ts';
import { download, errorText } from '../../api/client.ts';
import { groupsQuery } from '../../device-records/choices.queries.ts';
import { useChartZone, useHasChartZone } from '../../time-range/farm-zone.ts';
import { PeriodFilter } from '../../time-range/period-filter.tsx';
import { askedDay } from '../../time-range/period.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useMadeFile } from '../../ui/use-made-file.ts';
import { DiaryDays } from './diary-days.tsx';
import { choiceOf, daysOf, type DiarySearch, diaryPeriods, readDiaryFilter } from './diary-search.ts';
import { filterNames } from './diary-labels.ts';
import { type DiaryAsk, diaryQuery, fileOf } from './diary.queries.ts';
import { LateClosers } from './late-closers.tsx';
import { ProofPanel } from './proof-panel.tsx';
import classes from './diary.module.css';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

const PlanAnnexDialog = lazyDialog<{ farmUID: string; onClose: () => void }>(() =>
  import('./plan-annex.tsx').then((m) => m.default),
);

/** What was watered on a farm: the last watering, what went otherwise than planned, then day by day. Its choices stand in the address. */
export function IrrigationDiary({ farmUID }: { farmUID: string }) {
  const search: DiarySearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const zone = useChartZone(farmUID);
  const hasZone = useHasChartZone(farmUID);
  const choice = choiceOf(search);
  const filter = readDiaryFilter(search.show);
  const days = daysOf(choice, zone);
  const ask: DiaryAsk = { ...days, group: search.group, outcome: filter === 'all' ? undefined : filter };
  const query = useInfiniteQuery({ ...diaryQuery(farmUID, ask), enabled: hasZone });
  const patch = (change: DiarySearch) =>
    void navigate({
      to: '.',
      search: ((before: object) => ({ ...before, ...change })) as never,
      replace: true,
      resetScroll: false,
    });
  return (
    <>
      {!search.period && !search.group && <ProofPanel farmUID={farmUID} zone={zone} />}
      <div className={classes.filters}>
        <PeriodFilter
          choice={choice}
          zone={zone}
          unchosen="Last 30 days"
          offered={diaryPeriods}
          onChange={({ period, from, to }) => patch({ period, from, to })}
        />
        <Choices {...{ farmUID, search, patch }} />
        <Ways farmUID={farmUID} ask={ask} />
      </div>
      <StateView
        query={{ ...query, isError: query.isError && !query.isFetchNextPageError }}
        failed="The irrigation diary couldn't be loaded"
        skeleton={<Skeleton blocks={6} blockPx={52} />}
        isEmpty={({ pages }) =>
          pages.every(({ logs, days: of }) => logs.length + of.length === 0) && !query.hasNextPage
        }
        empty={<NoWaterings />}
      >
        {({ pages }) => <DiaryDays {...{ farmUID, zone, filter, pages, query, group: search.group }} />}
      </StateView>
      {!search.period && !search.group && <LateClosers farmUID={farmUID} zone={zone} />}
    </>
  );
}

interface ChoicesProps {
  farmUID: string;
  search: DiarySearch;
  patch: (change: DiarySearch) => void;
}

function Choices({ farmUID, search, patch }: ChoicesProps) {
  const canGroups = useCan({ anyOf: [can('groups', 'Read')] }, farmUID);
  const { data: groups = [] } = useQuery({ ...groupsQuery(farmUID), enabled: canGroups });
  const filter = readDiaryFilter(search.show);
  return (
    <div className={classes.choices}>
      {(groups.length > 0 || search.group) && (
        <NativeSelect
          label="Group"
          value={search.group ?? ''}
          onChange={({ currentTarget }) => patch({ group: currentTarget.value || undefined })}
          data={[
            { value: '', label: 'All groups' },
            ...groups.map(({ _id, name }) => ({ value: _id, label: name })),
          ]}
        />
      )}
      <NativeSelect
        label="Show"
        value={filter}
        onChange={({ currentTarget: { value } }) => patch({ show: value === 'troubles' ? undefined : value })}
        data={(['troubles', 'all', ...diaryFilters.filter((one) => one !== 'troubles')] as const).map(
          (value) => ({
            value,
            label: filterNames[value],
          }),
        )}
      />
    </div>
  );
}

/** To take along: a file, or paper. */
function Ways({ farmUID, ask }: { farmUID: string; ask: DiaryAsk }) {
  const shared = { of: `${farmUID} ${ask.start} ${ask.stop}`, faultOf: errorText, showsFault: false };
  const file = useMadeFile({
    ...shared,
    file: 'Irrigation diary.csv',
    make: () =>
      download('GET /irr-diary-logs/csv', { query: fileOf(farmUID, { ...ask, outcome: undefined }) }),
  });
  const pdf = useMadeFile({
    ...shared,
    file: `irrigation-diary-${ask.start}-${ask.stop}.pdf`,
    make: () =>
      download('GET /reportspdf/irrdiary/summary', {
        query: { farmUID, start: askedDay(ask.start), stop: askedDay(ask.stop) },
      }),
  });
  const hasAnnex = useCan(mayAnnex, farmUID);
  const [isAnnexOpen, setIsAnnexOpen] = useState(false);
  return (
    <div className={classes.ways}>
      {hasAnnex && (
        <PlainButton onClick={() => setIsAnnexOpen(true)} label="Environment plan: the annex on irrigation">
          Environment plan
        </PlainButton>
      )}
      {isAnnexOpen && <PlanAnnexDialog farmUID={farmUID} onClose={() => setIsAnnexOpen(false)} />}
      <PlainButton onClick={pdf.onMake} disabled={pdf.isPending} label="PDF of these days, of all groups">
        {pdf.isPending ? 'Making…' : 'PDF'}
      </PlainButton>
      <PlainButton onClick={file.onMake} disabled={file.isPending} label="CSV of all waterings of these days">
        {file.isPending ? 'Collecting…' : 'CSV'}
      </PlainButton>
      <PlainButton onClick={() => window.print()} label="Print this page">
        Print
      </PlainButton>
    </div>
  );
}

const NoWaterings = () => (
  <Empty title="Nothing was watered or was to water on these days, as far as is known">
    The diary begins with the first report of a sprinkler's valve, or the first schedule that is sent.
  </Empty>
);
