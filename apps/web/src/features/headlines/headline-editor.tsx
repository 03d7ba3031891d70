import { useEffect, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconArrowLeft, IconArrowRight, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { HEADLINE_SLOTS, type HeadlineType } from '@headrace/contract/default-settings';
import type { FarmCard } from '@headrace/contract/farms';
import { farmPatch } from '@headrace/contract/rules/settings-farms';
import type { Headline as StoredHeadline } from '@headrace/contract/settings';
import { useSearchPatch } from '../../ui/url-state.ts';
import { saveSettings, useSettings } from '../../preferences/settings.queries.ts';
import {
  exchanged,
  headlineOf,
  isShown,
  withHeadline,
  type Headline,
  type Slot,
} from './headline-configs.ts';
import { HeadlineDialog } from './headline-dialog.tsx';
import { EDIT_LINK, headlineSearch, useHeadlineSearch, type HeadlineSearch } from './headline-search.ts';
import { HeadlineWidget } from './headline-widget.tsx';
import { kindLabels } from './headline-labels.ts';
import classes from './headlines.module.css';

export interface HeadlineEditorProps {
  farm: FarmCard;
  headlines: readonly Slot[];
}

/** The four slots, each to be filled, changed, moved and cleared. What is done is stored at once. */
export default function HeadlineEditor({ farm, headlines }: HeadlineEditorProps) {
  const settings = useSettings();
  const queryClient = useQueryClient();
  const patch = useSearchPatch<HeadlineSearch>();
  const { slot } = useHeadlineSearch();
  const [said, setSaid] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const awaited = useRef<Expected | null>(null);
  const save = (next: StoredHeadline[]) =>
    saveSettings(queryClient, { farms: [farmPatch(farm, { headlines: next })] });
  const put = (position: number, headline: Headline) =>
    save(withHeadline(settings, farm._id, position, headline));
  const move = (from: number, to: number) => {
    const type = headlines[from]?.type ?? 'Empty';
    save(exchanged(settings, farm._id, from, to));
    setSaid(`${kindLabels[type]} is now at place ${to + 1} of ${HEADLINE_SLOTS}.`);
    awaited.current = { position: to, type, way: to > from ? 'right' : 'left' };
  };
  const clear = (position: number) => {
    put(position, headlineOf('Empty'));
    setSaid(`Place ${position + 1} is empty.`);
    awaited.current = { position, type: 'Empty' };
  };
  // The focus goes with what was moved, and stays where something was cleared.
  useEffect(() => {
    const { current: next } = awaited;
    if (!next || headlines[next.position]?.type !== next.type) return;
    awaited.current = null;
    focusOn(list.current?.children[next.position], next.way);
  }, [headlines]);
  const open = slot === undefined ? undefined : headlines[Number(slot)];
  return (
    <>
      <p className={classes.hint}>
        Four places for what you want to see first. Only you see them, on every device that you use.
      </p>
      <ol className={classes.row} ref={list}>
        {headlines.map((headline) => (
          <li key={headline.position} className={classes.slot}>
            <SlotTools farm={farm} headline={headline} onMove={move} onClear={clear} />
          </li>
        ))}
      </ol>
      <output className={classes.spoken}>{said}</output>
      <Link
        to="."
        search={headlineSearch({ headlines: undefined, slot: undefined })}
        className={classes.done}
        resetScroll={false}
        // This link goes; the focus goes back to where one came from.
        onClick={() => document.getElementById(EDIT_LINK)?.focus()}
      >
        Done
      </Link>
      {open && (
        <HeadlineDialog
          farm={farm}
          headline={open}
          place={Number(slot) + 1}
          onClose={() => patch({ slot: undefined }, { replace: true })}
          onSave={(headline) => {
            put(Number(slot), headline);
            patch({ slot: undefined }, { replace: true });
          }}
        />
      )}
    </>
  );
}

/** Where the focus goes once the slot holds what was put there. */
interface Expected {
  position: number;
  type: HeadlineType;
  way?: 'left' | 'right';
}

/** The button of the same direction, or the other one at the end of the row; of an empty slot the way to fill it. */
function focusOn(slot: Element | undefined, way: Expected['way']): void {
  const buttons = [...(slot?.querySelectorAll<HTMLButtonElement>('button[data-way]') ?? [])];
  const moves = buttons.filter(({ disabled }) => !disabled);
  const target = moves.find(({ dataset }) => dataset.way === way) ?? moves[0];
  (target ?? slot?.querySelector<HTMLElement>('a'))?.focus();
}

interface SlotProps {
  farm: FarmCard;
  headline: Slot;
  onMove: (from: number, to: number) => void;
  onClear: (position: number) => void;
}

function SlotTools({ farm, headline, onMove, onClear }: SlotProps) {
  const { position } = headline;
  const place = position + 1;
  const openSlot = {
    to: '.',
    search: headlineSearch({ slot: String(position) }),
    resetScroll: false,
  } as const;
  if (!isShown(headline)) {
    return (
      <Link {...openSlot} className={classes.add}>
        <IconPlus size={22} stroke={1.8} aria-hidden="true" />
        Add a headline at place {place}
      </Link>
    );
  }
  const what = `${kindLabels[headline.type]} at place ${place}`;
  return (
    <>
      <HeadlineWidget headline={headline} farm={farm} />
      <div className={classes.tools} role="group" aria-label={what}>
        <Link {...openSlot} className={classes.tool} aria-label={`Change ${what}`}>
          <IconPencil size={20} stroke={1.8} aria-hidden="true" />
          <span>Change</span>
        </Link>
        <button
          type="button"
          className={classes.tool}
          data-way="left"
          aria-label={`Move ${what} back`}
          disabled={position === 0}
          onClick={() => onMove(position, position - 1)}
        >
          <IconArrowLeft size={20} stroke={1.8} aria-hidden="true" />
          <span>Back</span>
        </button>
        <button
          type="button"
          className={classes.tool}
          data-way="right"
          aria-label={`Move ${what} on`}
          disabled={place === HEADLINE_SLOTS}
          onClick={() => onMove(position, position + 1)}
        >
          <IconArrowRight size={20} stroke={1.8} aria-hidden="true" />
          <span>On</span>
        </button>
        <button
          type="button"
          className={classes.tool}
          aria-label={`Clear ${what}`}
          onClick={() => onClear(position)}
        >
          <IconTrash size={20} stroke={1.8} aria-hidden="true" />
          <span>Clear</span>
        </button>
      </div>
    </>
  );
}
