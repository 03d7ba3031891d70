import { Switch } from '@mantine/core';
import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { IconGripVertical } from '@tabler/icons-react';
import { cardLabels } from '@headrace/contract/default-settings';
import type { KnownCard } from '@headrace/contract/rules/settings-farms';
import forms from '../../forms/forms.module.css';
import classes from './settings.module.css';

export interface CardRowProps {
  card: KnownCard;
  onShow: (visible: boolean) => void;
}

/** A kind of card: taken hold of by its grip, shown or hidden by its switch. */
export function CardRow({ card: { type, visible }, onShow }: CardRowProps) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } =
    useSortable({ id: type });
  const label = cardLabels[type];
  return (
    <li
      ref={setNodeRef}
      className={classes.card}
      data-held={isDragging || undefined}
      style={{ transform: CSS.Translate.toString(transform), transition }}
    >
      <button
        type="button"
        className={classes.grip}
        ref={setActivatorNodeRef}
        {...attributes}
        {...listeners}
        aria-label={`Move ${label}`}
        // Escape puts a held card back; it doesn't close the dialog as well.
        data-mantine-stop-propagation={isDragging}
      >
        <IconGripVertical size={20} stroke={1.8} aria-hidden="true" />
      </button>
      <span className={classes.cardName}>{label}</span>
      <Switch
        size="md"
        aria-label={`Show ${label}`}
        checked={visible}
        classNames={{ body: forms.switchBody ?? '' }}
        onChange={(event) => onShow(event.currentTarget.checked)}
      />
    </li>
  );
}
