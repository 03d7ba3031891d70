import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { closestCenter, DndContext, type DragEndEvent } from '@dnd-kit/core';
import { arrayMove, SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable';
import type { CardType } from '@headrace/contract/default-settings';
import type { FarmCard } from '@headrace/contract/farms';
import {
  cardsFor,
  dashboardCardsOf,
  farmPatch,
  orderCards,
  type KnownCard,
} from '@headrace/contract/rules/settings-farms';
import { PlainButton } from '../../ui/plain-button.tsx';
import { useCurrentFarm } from '../../farm/current-farm.ts';
import { saveSettings, useSettings } from '../../preferences/settings.queries.ts';
import { CardRow } from './card-row.tsx';
import { spokenMoves, spokenUse, useDragSensors } from './spoken-moves.ts';
import classes from './settings.module.css';

/** Which cards the farm's dashboard has, and in which order. */
export default function DashboardCardsPage() {
  const farm = useCurrentFarm();
  return farm ? <Cards key={farm._id} farm={farm} /> : <p className={classes.text}>No Farm Selected</p>;
}

function Cards({ farm }: { farm: FarmCard }) {
  const settings = useSettings();
  const queryClient = useQueryClient();
  // What is said of a move stands within the dialog: what is outside it is silent to screen readers.
  const [spoken, setSpoken] = useState<HTMLElement | null>(null);
  const sensors = useDragSensors();
  const all = dashboardCardsOf(settings, farm._id);
  const cards = cardsFor(all, farm.tankOnly);
  const order = cards.map(({ type }) => type);
  const save = (next: KnownCard[] | null) =>
    saveSettings(queryClient, { farms: [farmPatch(farm, { dashboard: next && { cards: next } })] });
  const drop = ({ active, over }: DragEndEvent) => {
    if (!over || over.id === active.id) return;
    const place = (id: string | number) => order.indexOf(id as CardType);
    save(orderCards(all, arrayMove(order, place(active.id), place(over.id))));
  };
  const show = (type: CardType, visible: boolean) =>
    save(all.map((card) => (card.type === type ? { ...card, visible } : card)));
  return (
    <div ref={setSpoken}>
      <p className={classes.text}>{farm.name}</p>
      {spoken && (
        <DndContext
          sensors={sensors}
          collisionDetection={closestCenter}
          accessibility={{
            announcements: spokenMoves(order),
            screenReaderInstructions: { draggable: spokenUse },
            container: spoken,
          }}
          onDragEnd={drop}
        >
          <SortableContext items={order} strategy={verticalListSortingStrategy}>
            <ol className={classes.cards} aria-label="Dashboard cards in their order">
              {cards.map((card) => (
                <CardRow key={card.type} card={card} onShow={(visible) => show(card.type, visible)} />
              ))}
            </ol>
          </SortableContext>
        </DndContext>
      )}
      <PlainButton onClick={() => save(null)}>Reset to defaults</PlainButton>
    </div>
  );
}
