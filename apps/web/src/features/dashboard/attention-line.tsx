import { type ReactNode, Suspense, useLayoutEffect, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AttentionDevice } from '@headrace/contract/attention';
import type { CardType } from '@headrace/contract/default-settings';
import type { FarmCard } from '@headrace/contract/farms';
import type { WateringProof } from '@headrace/contract/irr-diary';
import { can, needs } from '@headrace/contract/permissions';
import { attentionOf, type FarmFacts } from '@headrace/contract/rules/attention';
import { farmPatch } from '@headrace/contract/rules/settings-farms';
import { useNow } from '../../ui/clock.ts';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { lazyAgain } from '../../ui/lazy-again.ts';
import { useIsOver } from '../../ui/use-is-over.ts';
import { useLastHeight } from '../../ui/use-last-height.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { useCan } from '../../access/permissions.ts';
import { OpenAlerts } from '../../device-records/lazy-open-alerts.tsx';
import { type FarmAlerts, useOpenAlerts } from '../../device-records/open-alerts.ts';
import { saveSettings } from '../../preferences/settings.queries.ts';
import { cardAnchor } from '../../ui/card-frame.tsx';
import { AttentionList, type AttentionWays } from '../attention/attention-list.tsx';
import { CantTell } from '../attention/cant-tell.tsx';
import { attentionCondition, nothingWrongText } from '../attention/attention-labels.ts';
import { commandLink, lastWateringLink, sprinklersLink } from '../attention/sprinklers-link.ts';
import { withoutAlerts } from '../attention/without-alerts.ts';
import { unseenQuery } from '../commands/unseen.queries.ts';
import { meterAnchor } from '../flow/meter-names.ts';
import { flowMetersQuery } from '../flow/flow.queries.ts';
import { openGateway } from '../gateways/gateway-search.ts';
import { sprinklerCountsQuery } from '../group-map/group-map.queries.ts';
import { proofQuery } from '../irr-diary/proof.queries.ts';
import { insightsQuery } from '../insights/insights.queries.ts';
import { soilSitesQuery } from '../soil-moisture/soil.queries.ts';
import { openTank } from '../tanks/tank-search.ts';
import { tanksQuery, tankSiteQuery } from '../tanks/tanks.queries.ts';
import { LateAlerts } from './late-alerts.tsx';
import classes from './dashboard.module.css';

export interface AttentionLineProps {
  farm: FarmCard;
  /** Cards that are on the page, to lead to. */
  shown: readonly CardType[];
}

/** Of more than this a phone shows the worst, and the rest when it is asked for: below stand the numbers one came for. */
const PHONE_KINDS = 4;
/** Devices of one kind that are named before "and 3 more". */
const NAMES = { phone: 2, desktop: 4 } as const;
/** Open alerts in sight; the others stand on their page. */
const ALERTS = { phone: 2, desktop: 3 } as const;

/** The first time nobody knows how high the line will be: it comes as a whole and what is below after it, but both wait no longer than this, ms. */
const LINE_MS = 1500;

const bellAlone = lazyAgain<object>(
  () => import('../../device-records/bell-alone.tsx').then((m) => m.BellAlone),
  () => null,
);

/** Is anything wrong? The worst first, by name; each name leads to its device. */
export function AttentionLine({ farm, shown }: AttentionLineProps) {
  const { facts, unknown, isLoading, isWhole, alerts } = useFacts(farm);
  const Alone = bellAlone.current;
  const [isAloneComing, setIsAloneComing] = useState(false);
  const [isListComing, setIsListComing] = useState(false);
  const [areAlertsLate, setAreAlertsLate] = useState(false);
  const isComplete = isWhole && !isAloneComing && !isListComing;
  // Without its alerts in their place the line isn't as high as it is the next time.
  const { ref, minHeight, isFirst } = useLastHeight(`attention.${farm._id}`, isComplete && !areAlertsLate);
  const isLate = useIsOver(LINE_MS);
  const areAlertsComing = alerts.isLoading || isListComing;
  if (isFirst && isLate && areAlertsComing && !areAlertsLate) setAreAlertsLate(true);
  return (
    <div
      ref={ref}
      className={classes.lineRoom}
      style={{ minHeight }}
      data-grows={(isFirst && !isComplete && !isLate) || undefined}
    >
      <Line
        farm={farm}
        shown={shown}
        facts={facts}
        unknown={unknown}
        alerts={alerts}
        areAlertsLate={areAlertsLate}
        onListComing={setIsListComing}
        isLoading={isLoading}
      />
      {alerts.isInBellAlone && !isLoading && !areAlertsLate && (
        <Suspense fallback={<Coming onChange={setIsAloneComing} />}>
          <Alone />
        </Suspense>
      )}
    </div>
  );
}

/** Stands for what is still loaded, before anything of it is painted. */
function Coming({ onChange }: { onChange: (isComing: boolean) => void }) {
  useLayoutEffect(() => {
    onChange(true);
    return () => onChange(false);
  }, [onChange]);
  return null;
}

interface LineProps extends AttentionLineProps {
  facts: FarmFacts;
  /** What couldn't be asked for. */
  unknown: readonly string[];
  alerts: FarmAlerts;
  /** What is wrong was in sight before they were known. */
  areAlertsLate: boolean;
  /** Whether the code of their list is on its way. */
  onListComing: (isComing: boolean) => void;
  isLoading: boolean;
}

function Line({ farm, shown, facts, unknown, alerts, areAlertsLate, onListComing, isLoading }: LineProps) {
  const now = useNow();
  const isMobile = useIsMobile();
  const ways = useWays(farm, shown, facts);
  const attention = attentionOf(facts, now);
  const most = isMobile ? ALERTS.phone : ALERTS.desktop;
  // Late ones stand as a number alone.
  const besides = areAlertsLate ? attention : withoutAlerts(attention, alerts.open.slice(0, most));
  const isCalm = attention.length === 0 && alerts.open.length === 0;
  if (isCalm && isLoading) return <div className={classes.lineSpace} aria-hidden="true" />;
  const cantTell = unknown.length > 0 && <CantTell what={unknown} isMore={!isCalm} />;
  if (isCalm && cantTell)
    return (
      <div className={classes.line} data-condition="caution">
        {cantTell}
      </div>
    );
  if (isCalm) return <AllWell text={nothingWrongText(unitsOf(facts))} />;
  const hasIssue =
    alerts.open.some((one) => one.class === 'urgent') ||
    attention.some(({ kind }) => attentionCondition(kind) === 'issue');
  return (
    <div className={classes.line} data-condition={hasIssue ? 'issue' : 'caution'}>
      {!areAlertsLate && (
        <OpenAlerts
          open={alerts.open}
          isCut={alerts.isCut}
          most={most}
          waiting={<Coming onChange={onListComing} />}
        />
      )}
      <AttentionList
        attention={besides}
        ways={ways}
        kinds={isMobile ? PHONE_KINDS : undefined}
        isWide
        names={isMobile ? NAMES.phone : NAMES.desktop}
      />
      {areAlertsLate && <LateAlerts alerts={alerts} />}
      {cantTell}
    </div>
  );
}

const unitsOf = ({ tanks, meters, sites, gateways, repeaters, sprinklers }: FarmFacts) => ({
  tanks: tanks?.length ?? 0,
  meters: meters?.length ?? 0,
  sites: sites?.length ?? 0,
  gateways: gateways?.length ?? 0,
  repeaters: repeaters?.length ?? 0,
  sprinklers: sprinklers?.total ?? 0,
});

/** What couldn't be loaded says so on its own card too. What the readings point to comes after the readings themselves. */
function useFacts({ _id, tankOnly }: FarmCard): {
  facts: FarmFacts;
  unknown: readonly string[];
  isLoading: boolean;
  isWhole: boolean;
  alerts: FarmAlerts;
} {
  const canSite = useCan(needs.tankSite, _id);
  const canSum = useCan(needs.tankSummary, _id);
  const canCommands = useCan(needs.readCommands, _id);
  const canSprinklers = useCan(needs.countSprinklers, _id) && !tankOnly;
  const tanks = useQuery({ ...tanksQuery(_id), enabled: canSum });
  const site = useQuery({ ...tankSiteQuery(_id), enabled: canSite });
  const meters = useQuery({ ...flowMetersQuery(_id), enabled: canSum && !tankOnly });
  const sites = useQuery({ ...soilSitesQuery(_id), enabled: canSum && !tankOnly });
  const isLoading = [tanks, site, meters, sites].some((query) => query.isLoading);
  const sprinklers = useQuery({ ...sprinklerCountsQuery(_id), enabled: canSprinklers && !isLoading });
  const proof = useQuery({ ...proofQuery(_id), enabled: canSprinklers && !isLoading });
  const insights = useQuery({ ...insightsQuery(_id), enabled: canSum && !isLoading });
  const unseen = useQuery({ ...unseenQuery(_id), enabled: canCommands && !isLoading });
  // Not after the others: they stand above what those tell.
  const alerts = useOpenAlerts(_id);
  // Also where older values stand: what has happened since isn't in them.
  const asked = {
    tanks,
    'gateways and repeaters': site,
    'flow meters': meters,
    'soil sites': sites,
    sprinklers,
    'the last watering': proof,
    'leak watch': insights,
    commands: unseen,
  };
  const failed = Object.entries(asked).flatMap(([name, { isError }]) => (isError ? [name] : []));
  return {
    unknown: [...failed, ...(alerts.isUnknown ? ['alerts'] : [])],
    alerts,
    isLoading: isLoading || sprinklers.isLoading || alerts.isLoading,
    isWhole: ![insights, proof, sprinklers, alerts, unseen].some((query) => query.isLoading) && !isLoading,
    facts: {
      tanks: tanks.data,
      meters: meters.data,
      sites: sites.data,
      gateways: site.data?.gateways,
      repeaters: site.data?.repeaters,
      sprinklers: sprinklers.data,
      lastWatering: lastWateringOf(proof.data),
      findings: insights.data,
      failedCommands: unseen.data,
    },
  };
}

const lastWateringOf = (proof: WateringProof | undefined): FarmFacts['lastWatering'] =>
  proof?.round && { endAt: Date.parse(proof.round.endAt), missed: proof.missed };

function AllWell({ text }: { text: string }) {
  if (!text) return null;
  return (
    <p className={classes.line} data-condition="ok">
      <ConditionDot condition="ok" label={null} size={18} />
      {text}
    </p>
  );
}

const readRepeaters = { anyOf: [can('repeaters', 'Read')] };

/** Where names lead from the dashboard: dialogs of this page, its cards, and the sprinkler map. */
function useWays(farm: FarmCard, shown: readonly CardType[], { tanks }: FarmFacts): AttentionWays {
  const queryClient = useQueryClient();
  const farmUID = farm._id;
  const tankIds = new Set(tanks?.map(({ _id }) => _id));
  const canTank = useCan(needs.readSensors, farmUID);
  const canGateway = useCan(needs.readGateways, farmUID);
  const canRepeater = useCan(readRepeaters, farmUID);
  const canSprinklers = useCan(needs.groupMap, farmUID);
  const canDiary = useCan(needs.dashboard, farmUID);
  const showSite = (id: string) =>
    saveSettings(queryClient, { farms: [farmPatch(farm, { smCurrDisplayed: id })] });
  const toCard = (
    type: 'Flow' | 'SoilMoisture',
    text: string,
    hash: string,
    onClick?: () => void,
  ): ReactNode =>
    shown.includes(type) && (
      <Link to="." hash={hash} search={((before: object) => before) as never} onClick={onClick}>
        {text}
      </Link>
    );
  const toDevice = ({ device, _id }: AttentionDevice, text: string): ReactNode => {
    switch (device) {
      case 'tank':
        return canTank && <Link {...openTank(_id)}>{text}</Link>;
      case 'gateway':
        return canGateway && <Link {...openGateway(_id)}>{text}</Link>;
      case 'meter':
        // A tank with a meter of its own, or the meter's line on its card, where its leak is told.
        if (tankIds.has(_id)) return canTank && <Link {...openTank(_id, 'flow')}>{text}</Link>;
        return toCard('Flow', text, meterAnchor(_id));
      case 'site':
        return toCard('SoilMoisture', text, cardAnchor('SoilMoisture'), () => showSite(_id));
      case 'repeater':
        return (
          canRepeater && (
            <Link to="/repeater-device/$farmUID/$id" params={{ farmUID, id: _id }}>
              {text}
            </Link>
          )
        );
      default:
        return device satisfies never;
    }
  };
  return {
    command: ({ _id }, text) => <Link {...commandLink(farmUID, _id)}>{text}</Link>,
    seenOn: farmUID,
    device: (device, text) => toDevice(device, text) || null,
    sprinklers: ({ kind }, text) => {
      if (kind === 'missedWatering')
        return canDiary ? <Link {...lastWateringLink(farmUID)}>{text}</Link> : null;
      return canSprinklers ? <Link {...sprinklersLink(farmUID, kind)}>{text}</Link> : null;
    },
  };
}
