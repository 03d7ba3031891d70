import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Timezone } from '@headrace/contract/farms';
import type { IrrigationAdvice } from '@headrace/contract/irrigation-advice';
import { can } from '@headrace/contract/permissions';
import { useCan } from '../../access/permissions.ts';
import { farmsCardQuery } from '../../farm/farms.queries.ts';
import { useChartZone } from '../../time-range/farm-zone.ts';
import { Age } from '../../ui/age.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { TitleBar } from '../../ui/title-bar.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { et0Text } from './advice-text.ts';
import { adviceQuery } from './advice.queries.ts';
import { DayDialog } from './day-dialog.tsx';
import { EditLink } from './edit-link.tsx';
import { GroupCard } from './group-card.tsx';
import { SoilForm } from './soil-form.tsx';
import classes from './advice.module.css';

/** `of` the farm where the groups' own are not meant. */
const FARM = 'farm';

/** What each group needs now, by a water balance, and what that rests on. */
export function AdvicePage() {
  const { farmUID } = useParams({ from: '/irrigation-advice/$farmUID' });
  const { data: farms } = useQuery(farmsCardQuery);
  return (
    <>
      <TitleBar
        title="Irrigation advice"
        subtitle={farms?.find(({ _id }) => _id === farmUID)?.name}
        back="/"
      />
      <Advice key={farmUID} farmUID={farmUID} />
    </>
  );
}

function Advice({ farmUID }: { farmUID: string }) {
  const query = useQuery(adviceQuery(farmUID));
  const zone = useChartZone(farmUID);
  const { edit }: { edit?: string } = useSearch({ strict: false });
  const canEdit = useCan({ anyOf: [can('schedules', 'Edit')] }, farmUID);
  return (
    <StateView
      query={query}
      failed="The irrigation advice couldn't be loaded"
      skeleton={<Skeleton blocks={3} blockPx={140} />}
    >
      {(advice) =>
        edit !== undefined && canEdit ? (
          <Editor key={edit} advice={advice} of={edit} />
        ) : (
          <Groups {...{ advice, zone, canEdit }} />
        )
      }
    </StateView>
  );
}

function Editor({ advice, of }: { advice: IrrigationAdvice; of: string }) {
  const group = of === FARM ? null : (advice.groups.find(({ groupUID }) => groupUID === of) ?? null);
  const navigate = useNavigate();
  const close = () => void navigate({ to: '.', search: {}, replace: true });
  return <SoilForm advice={advice} group={group} onClose={close} />;
}

interface GroupsProps {
  advice: IrrigationAdvice;
  zone: Timezone;
  canEdit: boolean;
}

function Groups({ advice, zone, canEdit }: GroupsProps) {
  const { farmUID, groups, day } = advice;
  const [isDay, setIsDay] = useState(false);
  return (
    <>
      <p className={classes.note}>
        By a water balance of the soil (FAO-56). It sends nothing and changes no schedule. Try out what it
        would mean with “What if…” on the{' '}
        <Link to="/schedules/view/$id" params={{ id: farmUID }} search={{ tab: 'timeline' }}>
          timeline
        </Link>
        .
      </p>
      {groups.length > 1 && groups.every(({ state }) => state === 'noStart') && (
        <Start farmUID={farmUID} canEdit={canEdit} />
      )}
      <Sources advice={advice} zone={zone} />
      {canEdit && (
        <p className={classes.ways}>
          <EditLink farmUID={farmUID} of={FARM}>
            Soil and crop of the farm
          </EditLink>
          <PlainButton onClick={() => setIsDay(true)}>Enter a day’s weather</PlainButton>
        </p>
      )}
      {groups.length === 0 ? (
        <Empty title="The farm has no groups yet.">
          Advice is by group: make one from the farm’s sprinklers.
        </Empty>
      ) : (
        <ul className={classes.groups} aria-label="Groups">
          {groups.map((group) => (
            <GroupCard key={group.groupUID} {...{ farmUID, group, zone, canEdit }} />
          ))}
        </ul>
      )}
      {isDay && <DayDialog farmUID={farmUID} today={day} onClose={() => setIsDay(false)} />}
    </>
  );
}

/** Before the first advice: the one number that a balance begins with is entered once for all groups. */
const Start = ({ farmUID, canEdit }: { farmUID: string; canEdit: boolean }) => (
  <section className={classes.start} aria-label="Where to begin">
    <p className={classes.reason}>
      <b>No group has advice yet.</b> A balance begins with an evening on which somebody knew what the soil
      lacked, such as one after heavy rain, when it was full.{' '}
      {canEdit
        ? 'Enter it for the farm, and it holds for all groups.'
        : 'Who may edit schedules can enter it.'}
    </p>
    {canEdit && (
      <EditLink farmUID={farmUID} of={FARM}>
        Enter what the soil lacked
      </EditLink>
    )}
  </section>
);

/** Whose weather is counted, and how old it is. */
function Sources({ advice, zone }: Omit<GroupsProps, 'canEdit'>) {
  const { weather, gauge } = advice;
  return (
    <dl className={classes.facts}>
      <dt>Use of the crop</dt>
      <dd>
        {weather?.isDemo && <b>Demo. </b>}
        {et0Text(advice)}
        {weather && (
          <>
            , <Age at={weather.fetchedAt} zone={zone} />
            {weather.isStale && '. Older than it should be: the source can’t be reached'}
          </>
        )}
      </dd>
      <dt>Rain</dt>
      <dd>
        {gauge
          ? `What fell by the gauge of ${gauge.name}`
          : 'No rain gauge reports: what fell has to be entered'}
      </dd>
    </dl>
  );
}
