import { useDeferredValue } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { FarmCard as Farm, FarmSummary } from '@headrace/contract/farms';
import { needs } from '@headrace/contract/permissions';
import { mayOn, permissionsQuery } from '../../access/permissions.ts';
import { useSession } from '../../session/use-session.ts';
import { globalSettingsQuery } from '../../preferences/settings.queries.ts';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { foldText } from '../../ui/fold-text.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { Empty, RetryButton, StateView } from '../../ui/state-view.tsx';
import { TitleBar } from '../../ui/title-bar.tsx';
import { useSearchPatch } from '../../ui/url-state.ts';
import { farmsCardQuery, farmsSummaryQuery } from '../../farm/farms.queries.ts';
import { openAlertsQuery } from '../../device-records/open-alerts.ts';
import { PendingInvitations } from '../sharing/pending-invitations.tsx';
import { sharersSecondStepQuery } from '../../access/sharers-second-step.ts';
import { DeletedFarms } from './deleted-farms.tsx';
import { FarmCard, type SummaryState } from './farm-card.tsx';
import type { FarmFilterProps } from './farm-filter.tsx';
import { needsAttention, overviewFact } from './farm-view-model.ts';
import { useSteadyOrder } from './farm-order.ts';
import { HomeSkeleton } from './home-skeleton.tsx';
import { NewFarmCard, useCanMakeFarms } from './new-farm-card.tsx';
import cards from '../../ui/card-grid.module.css';
import tabs from '../../ui/link-tabs.module.css';
import classes from './home.module.css';

const FarmFilter = lazyPart<FarmFilterProps>(() => import('./farm-filter.tsx').then((m) => m.FarmFilter), {
  failed: "The search of farms couldn't be loaded",
  waiting: <div className={classes.filter} />,
});
const GroupsTab = lazyPart<{ farms: readonly Farm[] }>(
  () => import('../groups/groups-tab.tsx').then((m) => m.GroupsTab),
  { failed: "The groups couldn't be loaded", waiting: <HomeSkeleton /> },
);
/** With more farms than this there is a box to search them. */
const SEARCH_FROM = 8;

/** The farms, each with what needs a person there; or the groups of one of them. */
export function HomePage() {
  const isGroups = useSearch({ from: '/' }).t === 'g';
  const farms = useQuery(farmsCardQuery);
  const { data: permissions = [] } = useQuery(permissionsQuery);
  const isDemo = useQuery(globalSettingsQuery).data?.demo ?? false;
  const readable = (all: Farm[]) => all.filter((farm) => mayOn(permissions, farm._id, needs.readFarm));
  return (
    <>
      <TitleBar
        title={
          <span className={classes.heading}>
            {isGroups ? 'Groups' : 'Farms'}
            {isDemo && <span className={classes.demo}>Demo · simulated farms</span>}
          </span>
        }
      >
        <Tabs />
      </TitleBar>
      {!isGroups && <PendingInvitations />}
      <StateView
        query={farms}
        skeleton={<HomeSkeleton />}
        failed="Your farms couldn't be loaded"
        isEmpty={(all) => readable(all).length === 0}
        empty={<NoFarms />}
      >
        {(all) => (isGroups ? <GroupsTab farms={readable(all)} /> : <Farms farms={readable(all)} />)}
      </StateView>
      {!isGroups && <DeletedFarms />}
    </>
  );
}

/** What the page is about. Each side keeps what it was narrowed to. */
function Tabs() {
  const search = useSearch({ from: '/' });
  const tab = (t: 'g' | undefined, label: string) => (
    <Link to="/" search={{ ...search, t }} className={tabs.tab} activeOptions={{ exact: true }}>
      {label}
    </Link>
  );
  return (
    <nav className={tabs.tabs} aria-label="Farms and groups">
      {tab(undefined, 'Farms')}
      {tab('g', 'Groups')}
    </nav>
  );
}

function NoFarms() {
  const { type, email } = useSession();
  const canMake = useCanMakeFarms();
  const { data: asked } = useQuery({ ...sharersSecondStepQuery, enabled: type === 'AGENT' });
  const now = useNow();
  if (asked?.askedBy.some(({ from }) => Date.parse(from) <= now))
    return (
      <Empty title="Your farms are shut." action={<Link to="/security">Set up two-step sign-in</Link>}>
        They open again as soon as your account has two-step sign-in. Alerts still come.
      </Empty>
    );
  return (
    <Empty title="No farms yet." action={canMake && <NewFarmCard />}>
      {type === 'AGENT'
        ? `Ask a farm's owner to share it with ${email}: it appears here.`
        : 'Farms that you own, or that are shared with you, appear here.'}
    </Empty>
  );
}

/** What alerts have told, and isn't for information alone, needs a person too. */
function useWithAlerts(summaries: readonly FarmSummary[] | undefined): {
  summaries: readonly FarmSummary[] | undefined;
  /** Of a farm that looks well it isn't known yet. */
  isLoading: boolean;
} {
  const { data, isLoading, isError } = useQuery({ ...openAlertsQuery, enabled: summaries !== undefined });
  const { data: permissions = [] } = useQuery(permissionsQuery);
  const told = new Set(data?.open.filter((one) => one.class !== 'info').map(({ farmUID }) => farmUID));
  const standingOf = ({ farmUID, standing }: FarmSummary): FarmSummary['standing'] => {
    if (told.has(farmUID)) return 'attention';
    const isUnknown = isError && standing === 'well' && mayOn(permissions, farmUID, needs.hearAlerts);
    return isUnknown ? 'unknown' : standing;
  };
  return { summaries: summaries?.map((one) => ({ ...one, standing: standingOf(one) })), isLoading };
}

function Farms({ farms }: { farms: Farm[] }) {
  const summaries = useQuery(farmsSummaryQuery);
  const { q = '', show } = useSearch({ from: '/' });
  const patch = useSearchPatch<{ q: string | undefined; show: 'attention' | undefined }>();
  const withAlerts = useWithAlerts(summaries.data);
  const byFarm = new Map(withAlerts.summaries?.map((summary) => [summary.farmUID, summary]));
  const isWanted = (farm: Farm) =>
    foldText(`${farm.name} ${farm.description}`).includes(foldText(q)) &&
    (show !== 'attention' || needsAttention(byFarm.get(farm._id)));
  const ordered = useSteadyOrder(farms, summaries.data, !summaries.isPending);
  // Drawn in slices, so that the cards together don't hold up a slow phone.
  const isReleased = useDeferredValue(ordered !== null, false);
  if (!ordered || !isReleased) return <HomeSkeleton />;
  const shown = ordered.filter(isWanted);
  const stateOf = (farm: Farm): SummaryState => {
    const summary = byFarm.get(farm._id);
    if (summary) return { summary };
    return summaries.isPending ? 'loading' : 'unknown';
  };
  const clear = () => patch({ q: undefined, show: undefined });
  const attention = farms.filter((farm) => needsAttention(byFarm.get(farm._id))).length;
  return (
    <>
      <Overview farms={farms} byFarm={summaries.data && !withAlerts.isLoading ? byFarm : null} />
      {summaries.isError && (
        <NoSummaries isRetrying={summaries.isFetching} onRetry={() => void summaries.refetch()} />
      )}
      {(farms.length > SEARCH_FROM || q !== '' || show) && (
        <FarmFilter q={q} show={show} attention={attention} />
      )}
      {shown.length === 0 && (
        <Empty title="No farm matches." action={<PlainButton onClick={clear}>Show all farms</PlainButton>} />
      )}
      <div className={cards.grid}>
        {shown.map((farm) => (
          <FarmCard key={farm._id} farm={farm} state={stateOf(farm)} />
        ))}
        {shown.length === farms.length && <NewFarmCard />}
      </div>
    </>
  );
}

/** Of a farm without a summary, made a moment ago, nothing is known yet. */
function Overview({ farms, byFarm }: { farms: Farm[]; byFarm: ReadonlyMap<string, FarmSummary> | null }) {
  if (!byFarm) return <div className={classes.overview} />;
  const { condition, text } = overviewFact(farms.map(({ _id }) => byFarm.get(_id)?.standing ?? 'unknown'));
  return (
    <p className={classes.overview}>
      <ConditionDot condition={condition} size={18} label={null} />
      <span className="num">{text}</span>
    </p>
  );
}

function NoSummaries({ isRetrying, onRetry }: { isRetrying: boolean; onRetry: () => void }) {
  return (
    <div className={classes.strip} role="alert">
      <ConditionDot condition="issue" size={18} label={null} />
      <span>What needs attention couldn't be loaded.</span>
      <RetryButton onClick={onRetry} isBusy={isRetrying} />
    </div>
  );
}
