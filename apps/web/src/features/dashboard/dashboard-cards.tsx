import { memo, useEffect, useState, type ComponentType } from 'react';
import { Link } from '@tanstack/react-router';
import type { CardType } from '@headrace/contract/default-settings';
import type { FarmCard } from '@headrace/contract/farms';
import { cardsFor, dashboardCardsOf } from '@headrace/contract/rules/settings-farms';
import { turn } from '../../api/one-by-one.ts';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { useCan } from '../../access/permissions.ts';
import type { SettingsSearch } from '../../preferences/settings-search.ts';
import { useSettings } from '../../preferences/settings.queries.ts';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { PdfWay } from '../../ui/pdf-way.tsx';
import { cardAnchor, CardFrame, type CardProps } from '../../ui/card-frame.tsx';
import { useHeadlineSearch } from '../headlines/headline-search.ts';
import { useLiveCards } from '../tanks/live-cards.ts';
import type { TanksReportProps } from '../tanks/tanks-report.tsx';
import { AttentionLine } from './attention-line.tsx';
import { cardNeeds, useCardPresence } from './card-presence.ts';
import { rowsOf } from './card-rows.ts';
import { CardSlot, LoadingCard, releaseAfter, type Presence } from './card-slot.tsx';
import { useFirstCalls } from './first-calls.ts';
import classes from './dashboard.module.css';

const titles: Record<CardType, string> = {
  Headline: 'Headline',
  SoilMoisture: 'Soil Moisture',
  Tank: 'Tank Levels',
  Flow: 'Flow Meters',
  IPCStatus: 'Sprinkler Status',
  IPCHealth: 'Sprinkler Health',
  IPCComms: 'Sprinkler Comms',
  IO: 'Gateway I/O',
};

/** What couldn't be loaded. */
const contents: Record<Exclude<CardType, 'Headline'>, string> = {
  SoilMoisture: 'The soil moisture sites',
  Tank: 'The tanks',
  Flow: 'The flow meters',
  IPCStatus: 'The sprinklers',
  IPCHealth: "The sprinklers' health",
  IPCComms: 'How sprinklers are heard',
  IO: 'The inputs and relays',
};
const failedText = (type: keyof typeof contents) => `${contents[type]} couldn't be loaded`;

const headlineSpace = <div className={classes.headlineSpace} aria-busy="true" />;
const HeadlineRow = memo(
  lazyPart(() => import('../headlines/headline-row.tsx').then((m) => m.HeadlineRow), {
    failed: "The headlines couldn't be loaded",
    waiting: headlineSpace,
    isLine: true,
  }),
);
const EmptyDashboard = lazyPart(() => import('./empty-dashboard.tsx').then((m) => m.EmptyDashboard), {
  failed: "What comes first couldn't be loaded",
});

/** The code of the cards, in chunks of their own. */
const loads = {
  Tank: () => import('../tanks/tank-levels.tsx'),
  Flow: () => import('../flow/flow-card.tsx'),
  SoilMoisture: () => import('../soil-moisture/soil-moisture-card.tsx'),
  IPCStatus: () => import('../sprinkler-cards/sprinkler-status-card.tsx'),
  IPCHealth: () => import('../sprinkler-cards/sprinkler-health-card.tsx'),
  IPCComms: () => import('../sprinkler-cards/sprinkler-comms-card.tsx'),
  IO: () => import('../gateway-io/gateway-io-card.tsx'),
};
/**
 * What is there when a card's turn comes is drawn at once; what has to be waited for comes together with other cards, in one long
 * task. A failure shows when the card is drawn.
 */
const warm = async (type: keyof typeof loads) => {
  // Each in a task of its own: to ask for the code and style sheets of all cards takes a slow phone a quarter of a second.
  await turn();
  await loads[type]().catch(() => undefined);
};
// Most farms have tanks: their code is on its way before it is known.
void warm('Tank');

const TanksReport = lazyDialog<TanksReportProps>(() =>
  import('../tanks/tanks-report.tsx').then((m) => m.default),
);

/** A card that says itself where its code doesn't come. */
const cardOf = (type: keyof typeof loads, load: () => Promise<ComponentType<CardProps>>) =>
  lazyPart(load, {
    failed: failedText(type),
    waiting: <LoadingCard type={type} title={titles[type]} />,
    around: (said) => (
      <CardFrame type={type} title={titles[type]}>
        {said}
      </CardFrame>
    ),
  });
const cards: Record<keyof typeof loads, ComponentType<CardProps>> = {
  Tank: cardOf('Tank', async () => tankCard((await loads.Tank()).TankLevels)),
  Flow: cardOf('Flow', async () => (await loads.Flow()).FlowCard),
  SoilMoisture: cardOf('SoilMoisture', async () => (await loads.SoilMoisture()).SoilMoistureCard),
  IPCStatus: cardOf('IPCStatus', async () => (await loads.IPCStatus()).SprinklerStatusCard),
  IPCHealth: cardOf('IPCHealth', async () => (await loads.IPCHealth()).SprinklerHealthCard),
  IPCComms: cardOf('IPCComms', async () => (await loads.IPCComms()).SprinklerCommsCard),
  IO: cardOf('IO', async () => (await loads.IO()).GatewayIoCard),
};

/** The cards that the person wants to see and may, in the order chosen. */
export function useChosenCards(farm: FarmCard): { chosen: CardType[]; hidden: 'all' | 'some' | 'none' } {
  const all = cardsFor(dashboardCardsOf(useSettings(), farm._id), farm.tankOnly);
  const may: Record<CardType, boolean> = {
    Headline: useCan(cardNeeds.Headline, farm._id),
    SoilMoisture: useCan(cardNeeds.SoilMoisture, farm._id),
    Tank: useCan(cardNeeds.Tank, farm._id),
    Flow: useCan(cardNeeds.Flow, farm._id),
    IPCStatus: useCan(cardNeeds.IPCStatus, farm._id),
    IPCHealth: useCan(cardNeeds.IPCHealth, farm._id),
    IPCComms: useCan(cardNeeds.IPCComms, farm._id),
    IO: useCan(cardNeeds.IO, farm._id),
  };
  const visible = all.filter((card) => card.visible);
  return {
    chosen: visible.flatMap(({ type }) => (may[type] ? [type] : [])),
    hidden: visible.length === 0 ? 'all' : visible.length < all.length ? 'some' : 'none',
  };
}

/** The farm's cards: what is wrong first, then the cards that have something to show. */
export function DashboardCards({ farm }: CardProps) {
  const { chosen, hidden } = useChosenCards(farm);
  const presence = useCardPresence(farm, chosen);
  useFirstCalls(farm, chosen);
  // From the first answer on: the attention line tells of the tanks before their card is drawn.
  useLiveCards(farm._id);
  const isEditing = useHeadlineSearch().headlines === 'edit';
  const shown = useSame(withContent(chosen, presence, isEditing));
  const rows = rowsOf(shown);
  return (
    <>
      <AttentionLine farm={farm} shown={shown} />
      <Jumps shown={shown} />
      <div className={classes.cards}>
        {rows.flatMap((row) =>
          row.map((type) => (
            <div key={type} className={classes.place} data-half={row.length === 2 || undefined}>
              {type === 'Headline' ? (
                presence.Headline.state === 'loading' ? (
                  headlineSpace
                ) : (
                  <HeadlineRow farm={farm} shown={shown} />
                )
              ) : (
                <Slot
                  farm={farm}
                  type={type}
                  presence={presence[type]}
                  releasedAfter={releaseAfter(shown.indexOf(type), shown.length)}
                />
              )}
            </div>
          )),
        )}
      </div>
      {shown.length === 0 && hidden !== 'none' && <NoCards hidden={hidden} />}
      {shown.length === 0 && hidden === 'none' && <EmptyDashboard farm={farm} />}
    </>
  );
}

/** The cards that have something to show, and beside these those that say that they have nothing. */
function withContent(
  chosen: readonly CardType[],
  presence: Record<CardType, Presence>,
  isEditing: boolean,
): CardType[] {
  const shown = chosen.filter(
    (type) => presence[type].state !== 'none' || (type === 'Headline' && isEditing),
  );
  return shown.every((type) => presence[type].state === 'beside') ? [] : shown;
}

/** On a phone the cards stand below one another: the pumps' switches are one tap away, not some screens down. */
function Jumps({ shown }: { shown: readonly CardType[] }) {
  const isMobile = useIsMobile();
  const cardsBelow = shown.flatMap((type) => (type === 'Headline' ? [] : [type]));
  if (!isMobile || cardsBelow.length < 2) return null;
  return (
    <nav className={classes.jumps} aria-label="On this page">
      {cardsBelow.map((type) => (
        <Link key={type} to="." hash={cardAnchor(type)} search={((before: object) => before) as never}>
          {jumpLabels[type]}
        </Link>
      ))}
    </nav>
  );
}
const jumpLabels: Record<Exclude<CardType, 'Headline'>, string> = {
  Tank: 'Tanks',
  IO: 'Pumps',
  Flow: 'Flow',
  IPCStatus: 'Sprinklers',
  IPCHealth: 'Health',
  IPCComms: 'Contact',
  SoilMoisture: 'Soil',
};

interface SlotProps extends CardProps {
  type: Exclude<CardType, 'Headline'>;
  presence: Presence;
  releasedAfter: number;
}

/** Drawn anew when something of it changes, and not with every report of a tank. */
const Slot = memo(function Slot({ farm, type, presence, releasedAfter }: SlotProps) {
  const Card = cards[type];
  useEffect(() => void warm(type), [type]);
  return (
    <CardSlot
      type={type}
      title={titles[type]}
      presence={presence}
      failed={failedText(type)}
      releasedAfter={releasedAfter}
    >
      <Card farm={farm} />
    </CardSlot>
  );
});

/** The same array while its members are the same. */
function useSame<T>(list: readonly T[]): readonly T[] {
  const [known, setKnown] = useState(list);
  const isSame = known.length === list.length && known.every((one, nth) => one === list[nth]);
  if (isSame) return known;
  setKnown(list);
  return list;
}

function NoCards({ hidden }: { hidden: 'all' | 'some' }) {
  const search = ((before: object): SettingsSearch => ({ ...before, settings: 'dashboard' })) as never;
  return (
    <p className={classes.none}>
      {hidden === 'all'
        ? 'All cards of this dashboard are hidden.'
        : 'None of the cards that you chose for this dashboard has anything to show.'}{' '}
      <Link to="." search={search}>
        Choose cards
      </Link>
    </p>
  );
}

function tankCard(TankLevels: ComponentType<{ farmUID: string }>) {
  return function TankCard({ farm: { _id: farmUID } }: CardProps) {
    const pdf = (
      <PdfWay of="tanks and usage">{(onClose) => <TanksReport farmUID={farmUID} onClose={onClose} />}</PdfWay>
    );
    return (
      <CardFrame type="Tank" title={titles.Tank} actions={pdf} isBare>
        <TankLevels farmUID={farmUID} />
      </CardFrame>
    );
  };
}
