import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReplyOf } from '@headrace/contract/endpoint';
import { needs } from '@headrace/contract/permissions';
import type { listTakes } from '@headrace/contract/water-takes';
import { useCan } from '../../access/permissions.ts';
import { farmsCardQuery } from '../../farm/farms.queries.ts';
import { useChartZone, useHasChartZone } from '../../time-range/farm-zone.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { TitleBar } from '../../ui/title-bar.tsx';
import { TakeList } from './take-list.tsx';
import { TakeView } from './take-view.tsx';
import { takesQuery } from './takes.queries.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import classes from './takes.module.css';

const TakeForm = lazyPart(() => import('./take-form.tsx').then((m) => m.TakeForm), {
  failed: "The form couldn't be loaded",
  waiting: <Skeleton blocks={3} blockPx={180} />,
});

/** Consents to take water, and the evidence of what was taken. */
export function WaterTakesPage() {
  const { farmUID } = useParams({ from: '/water-takes/$farmUID' });
  const { take }: { take?: string } = useSearch({ strict: false });
  const { data: farms } = useQuery(farmsCardQuery);
  const query = useQuery(takesQuery(farmUID));
  const isReady = useHasChartZone(farmUID);
  const chosen = query.data?.takes.find(({ uid }) => uid === take);
  return (
    <>
      <TitleBar
        title={chosen ? `Water take ${chosen.consentNo}` : 'Water takes'}
        subtitle={farms?.find(({ _id }) => _id === farmUID)?.name}
        back={take ? `/water-takes/${farmUID}` : '/'}
      />
      <StateView
        query={isReady ? query : { ...query, data: undefined, isError: false }}
        failed="The water takes couldn't be loaded"
        skeleton={<Skeleton blocks={2} blockPx={180} />}
      >
        {(data) => <Takes key={farmUID} farmUID={farmUID} {...data} />}
      </StateView>
    </>
  );
}

function Takes({ farmUID, takes, choices }: { farmUID: string } & ReplyOf<typeof listTakes>) {
  const zone = useChartZone(farmUID);
  const navigate = useNavigate();
  const canEdit = useCan(needs.editSensors, farmUID);
  const { take: uid, edit }: { take?: string; edit?: string } = useSearch({ strict: false });
  const take = takes.find((one) => one.uid === uid);
  const show = (search: { take?: string }) =>
    void navigate({ to: '/water-takes/$farmUID', params: { farmUID }, search, replace: true });
  if (edit !== undefined && canEdit)
    return (
      <TakeForm
        key={uid ?? 'new'}
        {...{ farmUID, choices, zone }}
        take={take ?? null}
        onSaved={(saved) => show({ take: saved.uid })}
        onClose={() => show(take ? { take: take.uid } : {})}
      />
    );
  if (take) return <TakeView {...{ farmUID, take, zone }} />;
  const add = canEdit ? (
    <Link to="/water-takes/$farmUID" params={{ farmUID }} search={{ edit: 'yes' }} className={classes.way}>
      Enter a water take
    </Link>
  ) : null;
  if (uid !== undefined) return <Empty title="This water take is not there any more." />;
  if (takes.length === 0)
    return (
      <Empty title="No water take is entered yet." action={add}>
        Enter the consent and the meter that measures it. What its meter has said already counts from the day
        on which you say that it is in place.
      </Empty>
    );
  return (
    <>
      <p className={classes.note}>
        What was taken by quarter of an hour, from the meter’s own counter. A council may want its provider to
        send these figures: this page is a check of them.
      </p>
      {add && <p className={classes.ways}>{add}</p>}
      <TakeList {...{ farmUID, takes, zone }} />
    </>
  );
}
