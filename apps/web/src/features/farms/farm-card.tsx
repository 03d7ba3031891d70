import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { TANK_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import type { FarmCard as Farm, FarmSummary } from '@headrace/contract/farms';
import { can, needs } from '@headrace/contract/permissions';
import { cardMapsOf } from '@headrace/contract/rules/settings-farms';
import { useCan } from '../../access/permissions.ts';
import { isSubscriptionExpired } from '../../session/subscription.ts';
import { useSession } from '../../session/use-session.ts';
import { useSettings } from '../../preferences/settings.queries.ts';
import { OpenAlerts } from '../../device-records/lazy-open-alerts.tsx';
import { useOpenAlerts } from '../../device-records/open-alerts.ts';
import { ActionsButton } from '../../ui/actions-button.tsx';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { OnDemand } from '../../ui/on-demand.tsx';
import { useFarmZone, useSelectFarm } from '../../farm/current-farm.ts';
import { FarmSign } from '../../farm/farm-sign.tsx';
import { AttentionList, type AttentionWays } from '../attention/attention-list.tsx';
import { unitsText } from '../attention/attention-labels.ts';
import { commandLink, lastWateringLink, sprinklersLink } from '../attention/sprinklers-link.ts';
import { withoutAlerts } from '../attention/without-alerts.ts';
import type { CardMapsProps } from './card-maps.tsx';
import { calmFact } from './farm-view-model.ts';
import { Figures } from './farm-figures.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import card from '../../ui/card.module.css';
import classes from './home.module.css';

const mapsPlace = <div className={classes.maps} />;
const CardMaps = lazyPart(() => import('./card-maps.tsx').then((m) => m.CardMaps), {
  failed: "The maps couldn't be loaded",
  waiting: mapsPlace,
  isLine: true,
});
const loadFarmMenu = async () => (await import('./farm-menu.tsx')).FarmMenu;

export type SummaryState = { summary: FarmSummary } | 'loading' | 'unknown';

/** One farm: what needs a person there, when it was last heard of, and the ways in. */
export function FarmCard({ farm, state }: { farm: Farm; state: SummaryState }) {
  const links = useFarmLinks(farm._id);
  const wanted = cardMapsOf(useSettings(), farm._id);
  const sprinklers = wanted.sprinklers && !farm.tankOnly ? links.sprinklers : null;
  const tanks = wanted.tanks ? links.tanks : null;
  return (
    <article className={card.card} aria-label={farm.name}>
      <div className={card.head}>
        <FarmSign icon={farm.icon} />
        <div className={card.names}>
          <h2 className={card.name}>
            {links.dashboard ? <Link {...links.dashboard}>{farm.name}</Link> : farm.name}
          </h2>
          {farm.description && <p className={card.description}>{farm.description}</p>}
        </div>
        <OnDemand load={loadFarmMenu} given={{ farm, links }}>
          {(ask) => <ActionsButton of={farm.name} onClick={ask} />}
        </OnDemand>
      </div>
      <SuspendedBadge validUntil={farm.subscriptionValidUntil} />
      <Facts farm={farm} state={state} links={links} />
      <Figures farm={farm} state={state} />
      <Maps farm={farm} state={state} sprinklers={sprinklers} tanks={tanks} />
      <Foot farm={farm} state={state} />
      {(tanks || links.dashboard || sprinklers) && (
        <div className={classes.ways}>
          {sprinklers && (
            <Link {...sprinklers} className={classes.way}>
              Sprinklers
            </Link>
          )}
          {tanks && (
            <Link {...tanks} className={classes.way}>
              Tanks
            </Link>
          )}
          {links.dashboard && (
            <Link {...links.dashboard} className={classes.way} data-main>
              Dashboard
            </Link>
          )}
        </div>
      )}
    </article>
  );
}

/** The ways into a farm that this person has. The address names the farm, so a link can be sent or opened in a tab. */
export function useFarmLinks(farmUID: string) {
  const select = useSelectFarm();
  const search = { farm: farmUID };
  const onClick = () => select(farmUID);
  const canDashboard = useCan(needs.dashboard, farmUID);
  const canCommands = useCan(needs.readCommands, farmUID);
  const canEdit = useCan({ anyOf: [can('farms', 'Edit')] }, farmUID);
  const canMaps = useCan(needs.tankMap, farmUID);
  return {
    edit: canEdit ? { to: '/farm/$id' as const, params: { id: farmUID } } : null,
    dashboard: canDashboard ? { to: '/dashboard' as const, search, onClick } : null,
    sprinklers: canMaps
      ? { to: '/group-status/$name' as const, params: { name: 'FARM' }, search, onClick }
      : null,
    tanks: canMaps ? { to: '/tanks' as const, search, onClick } : null,
    commands: canCommands ? { to: '/commands/$farmUID' as const, params: { farmUID }, onClick } : null,
  };
}
export type FarmLinks = ReturnType<typeof useFarmLinks>;

/** The small maps of what the farm has. Their place is kept meanwhile. */
function Maps({ farm, state, sprinklers, tanks }: CardMapsProps & { state: SummaryState }) {
  const has = (kind: 'sprinklers' | 'tanks') =>
    typeof state === 'string' ? state === 'loading' : state.summary[kind] > 0;
  const shown = { sprinklers: has('sprinklers') ? sprinklers : null, tanks: has('tanks') ? tanks : null };
  if (!shown.sprinklers && !shown.tanks) return null;
  if (state === 'loading') return mapsPlace;
  return <CardMaps farm={farm} {...shown} />;
}

/** So many kinds of trouble are told on a card; the dashboard tells all. */
const KINDS = 4;
const ALERTS = 2;

const isCalm = (state: SummaryState) => typeof state !== 'string' && state.summary.attention.length === 0;

function Facts({ farm, state, links }: { farm: Farm; state: SummaryState; links: FarmLinks }) {
  const alerts = useOpenAlerts(farm._id, typeof state !== 'string');
  const { open, isCut } = alerts;
  if (state === 'loading' || (alerts.isLoading && isCalm(state))) {
    return (
      <div className={classes.facts} aria-busy="true">
        <div className={classes.line} style={{ width: '62%' }} />
        <div className={classes.line} style={{ width: '40%' }} />
      </div>
    );
  }
  if (state === 'unknown') return <p className={classes.facts}>Its state isn't known.</p>;
  const { summary } = state;
  const isMore = !isCalm(state) || open.length > 0;
  const cantTell = alerts.isUnknown && (
    <span className={classes.fact}>
      <ConditionDot condition="caution" label={null} size={17} />
      <span>Can't tell whether anything {isMore && 'else '}is wrong: alerts couldn't be loaded.</span>
    </span>
  );
  if (isMore) {
    return (
      <div className={classes.facts}>
        <OpenAlerts open={open} isCut={isCut} most={ALERTS} label={`Open alerts of ${farm.name}`} />
        <AttentionList
          attention={withoutAlerts(summary.attention, open.slice(0, ALERTS))}
          ways={waysFrom(farm._id, links)}
          kinds={KINDS}
          names={2}
          label={`Needs attention on ${farm.name}`}
        />
        {cantTell}
      </div>
    );
  }
  if (cantTell) return <div className={classes.facts}>{cantTell}</div>;
  const { condition, text } = calmFact(summary);
  return (
    <p className={classes.facts}>
      <span className={classes.fact}>
        <ConditionDot condition={condition} size={17} label={null} />
        <span>{text}</span>
      </span>
    </p>
  );
}

/** To the farm's dashboard, with the device's dialog open where it has one. */
function waysFrom(farmUID: string, { dashboard, sprinklers, commands }: FarmLinks): AttentionWays {
  return {
    command: ({ _id }, text) =>
      commands && (
        <Link {...commandLink(farmUID, _id)} onClick={commands.onClick}>
          {text}
        </Link>
      ),
    device: ({ device, _id }, text) => {
      if (!dashboard) return null;
      const open = device === 'tank' ? { tank: _id } : device === 'gateway' ? { gateway: _id } : {};
      return (
        <Link {...dashboard} search={{ ...dashboard.search, ...open }}>
          {text}
        </Link>
      );
    },
    sprinklers: ({ kind }, text) => {
      if (kind === 'missedWatering')
        return (
          dashboard && (
            <Link {...lastWateringLink(farmUID)} onClick={dashboard.onClick}>
              {text}
            </Link>
          )
        );
      return (
        sprinklers && (
          <Link {...sprinklersLink(farmUID, kind)} onClick={sprinklers.onClick}>
            {text}
          </Link>
        )
      );
    },
  };
}

function Foot({ farm, state }: { farm: Farm; state: SummaryState }) {
  const [isAsked, setIsAsked] = useState(false);
  const zone = useFarmZone(farm._id, isAsked);
  if (typeof state === 'string') return <div className={classes.foot} />;
  const { lastContact, standing } = state.summary;
  return (
    <div className={classes.foot}>
      <span className="num">{unitsText(state.summary)}</span>
      {standing !== 'empty' && (
        <Age
          at={lastContact}
          zone={zone}
          staleAfter={TANK_OUT_OF_CONTACT_MS}
          never="Never contacted"
          onAsked={() => setIsAsked(true)}
        >
          {lastContact !== null && 'Last contact'}
        </Age>
      )}
    </div>
  );
}

/** Delegates see when the farm's owner has stopped paying. */
function SuspendedBadge({ validUntil }: { validUntil: string }) {
  const { type } = useSession();
  const now = useNow();
  if (type !== 'AGENT' || !isSubscriptionExpired(validUntil, now)) return null;
  return (
    <p className={classes.suspended}>
      <ConditionDot condition="issue" label={null} /> Account Suspended
    </p>
  );
}
