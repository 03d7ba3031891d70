import {
  cardTypes,
  type CardType,
  defaultCards,
  defaultStressBands,
  tankOnlyCards,
} from '../default-settings.ts';
import type { FarmCard } from '../farms.ts';
import type { DashboardCard, FarmSettings, Settings, StressBand } from '../settings.ts';
import type { FarmPatch } from './settings-patch.ts';

const ofFarm = (settings: Settings, farmUID: string): FarmSettings | undefined =>
  settings.farms?.find(({ info }) => info.id === farmUID);

/** Which maps stand on a farm's card: the farm's own choice, else that for all farms. */
export function cardMapsOf(settings: Settings, farmUID: string): { sprinklers: boolean; tanks: boolean } {
  const own = ofFarm(settings, farmUID);
  return {
    sprinklers: own?.displayIPCMap ?? settings.displayIPCMap ?? true,
    tanks: own?.displayTankMap ?? settings.displayTankMap ?? true,
  };
}

/** kPa, in order: the site's own bands, else the farm's, else those for all farms. */
export function stressBandsOf(settings: Settings, farmUID: string, siteId?: string): readonly StressBand[] {
  const own = ofFarm(settings, farmUID);
  const site = [...(own?.sites ?? []), ...(settings.sites ?? [])].find(({ id }) => id === siteId);
  return site?.smStressBands ?? own?.smStressBands ?? settings.smStressBands ?? defaultStressBands;
}

/** The farm's sites with one of them given bands of its own. */
export function withSiteBands(
  settings: Settings,
  farmUID: string,
  siteId: string,
  smStressBands: StressBand[],
): NonNullable<FarmSettings['sites']> {
  const sites = ofFarm(settings, farmUID)?.sites ?? [];
  const before = sites.find(({ id }) => id === siteId);
  const after = { ...before, id: siteId, smStressBands };
  return before ? sites.map((site) => (site === before ? after : site)) : [...sites, after];
}

export type KnownCard = DashboardCard & { type: CardType };
const isKnown = (card: DashboardCard): card is KnownCard =>
  (cardTypes as readonly string[]).includes(card.type);

/** Every kind of card once, in the farm's order, with those it doesn't name at the end. */
export function dashboardCardsOf(settings: Settings, farmUID: string): KnownCard[] {
  const stored = ofFarm(settings, farmUID)?.dashboard?.cards ?? settings.dashboard?.cards ?? [];
  const byType = new Map<string, KnownCard>();
  for (const card of [...stored, ...defaultCards])
    if (isKnown(card) && !byType.has(card.type)) byType.set(card.type, card);
  return [...byType.values()];
}

/** The cards that this farm can have: a farm of tanks has two. */
export const cardsFor = (cards: readonly KnownCard[], tankOnly: boolean): KnownCard[] =>
  cards.filter(({ type }) => !tankOnly || tankOnlyCards.includes(type));

/** The named cards in the order given, on the places that they hold between them; the others don't move. */
export function orderCards(cards: readonly KnownCard[], order: readonly CardType[]): KnownCard[] {
  const next = order.values();
  return cards.map((card) => {
    if (!order.includes(card.type)) return card;
    const type = next.next().value;
    return cards.find((other) => other.type === type) ?? card;
  });
}

/** A change of one farm's settings, with what the document says of the farm. */
export function farmPatch(
  farm: Pick<FarmCard, '_id' | 'accountId' | 'name' | 'description' | 'icon' | 'lat' | 'lng' | 'tankOnly'>,
  change: Omit<FarmPatch, 'info'>,
): FarmPatch {
  const { _id: id, accountId, name, description, icon, lat, lng, tankOnly } = farm;
  return { info: { accountId, id, name, description, icon, position: { lat, lng }, tankOnly }, ...change };
}
