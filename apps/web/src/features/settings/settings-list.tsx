import {
  IconAdjustmentsHorizontal,
  IconBell,
  IconChevronRight,
  IconDroplets,
  IconLayoutDashboard,
  IconMap2,
  type Icon,
} from '@tabler/icons-react';
import type { SettingsPage } from '../../preferences/settings-search.ts';
import { pageTitles } from './page-titles.ts';
import { useFocusAtFirst } from './use-focus-at-first.ts';
import classes from './settings.module.css';

interface Entry {
  page: SettingsPage;
  Icon: Icon;
  label: string;
}
const entries: readonly Entry[] = [
  { page: 'general', Icon: IconAdjustmentsHorizontal, label: 'Tooltips, and what is drawn on maps' },
  { page: 'farm-cards', Icon: IconMap2, label: 'Maps on the cards of your farms' },
  {
    page: 'stress-bands',
    Icon: IconDroplets,
    label: 'Where each level of soil moisture starts, and its colour',
  },
  {
    page: 'dashboard',
    Icon: IconLayoutDashboard,
    label: "Which cards a farm's dashboard has, and in which order",
  },
  { page: 'alerts', Icon: IconBell, label: 'How you hear of what happens' },
];

export interface SettingsListProps {
  onOpen: (page: SettingsPage) => void;
  /** The page that one came back from: its entry has the focus. */
  cameFrom: SettingsPage | null;
}

/** Where the settings begin. */
export function SettingsList({ onOpen, cameFrom }: SettingsListProps) {
  return (
    <ul className={classes.list}>
      {entries.map((entry) => (
        <li key={entry.page}>
          <EntryButton {...entry} onOpen={onOpen} hasFocus={entry.page === cameFrom} />
        </li>
      ))}
    </ul>
  );
}

interface EntryButtonProps extends Entry {
  onOpen: (page: SettingsPage) => void;
  hasFocus: boolean;
}

function EntryButton({ page, Icon, label, onOpen, hasFocus }: EntryButtonProps) {
  return (
    <button
      type="button"
      className={classes.entry}
      onClick={() => onOpen(page)}
      ref={useFocusAtFirst(hasFocus)}
    >
      <Icon size={22} stroke={1.7} aria-hidden="true" />
      <span className={classes.entryText}>
        <span className={classes.entryTitle}>{pageTitles[page]}</span>
        <span className={classes.hint}>{label}</span>
      </span>
      <IconChevronRight size={18} stroke={1.8} aria-hidden="true" />
    </button>
  );
}
