import { useState, type ReactNode } from 'react';
import { IconChevronLeft } from '@tabler/icons-react';
import { Dialog } from '../../forms/dialog.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useSearchPatch } from '../../ui/url-state.ts';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { useAreSettingsNewer } from '../../preferences/settings.queries.ts';
import type { SettingsPage, SettingsSearch } from '../../preferences/settings-search.ts';
import { FarmCardsPage } from './farm-cards-page.tsx';
import { GeneralPage } from './general-page.tsx';
import { SettingsList } from './settings-list.tsx';
import { StressBandsPage } from './stress-bands-page.tsx';
import { pageTitles } from './page-titles.ts';
import { useFocusAtFirst } from './use-focus-at-first.ts';
import classes from './settings.module.css';

const atFirst = {
  failed: "This page of the settings couldn't be loaded",
  waiting: <div className={classes.waiting} aria-busy="true" />,
};
const DashboardCardsPage = lazyPart(
  () => import('./dashboard-cards-page.tsx').then((m) => m.default),
  atFirst,
);
const AlertsPage = lazyPart(
  () => import('../notifications/alerts-page.tsx').then((m) => m.AlertsPage),
  atFirst,
);

const pages: Record<Exclude<SettingsPage, 'list'>, () => ReactNode> = {
  general: () => <GeneralPage />,
  'farm-cards': () => <FarmCardsPage />,
  'stress-bands': () => <StressBandsPage />,
  dashboard: () => <DashboardCardsPage />,
  alerts: () => <AlertsPage />,
};

interface Shown {
  shown: SettingsPage;
  before: SettingsPage | null;
}

export interface SettingsDialogProps {
  /** Undefined: it is closed. */
  page: SettingsPage | undefined;
  isOpen: boolean;
  onClose: () => void;
}

/** The settings: their list, and one page of them at a time. */
export default function SettingsDialog({ page, isOpen, onClose }: SettingsDialogProps) {
  const patch = useSearchPatch<SettingsSearch>();
  const isMobile = useIsMobile();
  // What was open stays in sight while it fades away; `before` is the page that one came from.
  const [{ shown, before }, setShown] = useState<Shown>({ shown: page ?? 'list', before: null });
  if (page !== undefined && page !== shown) setShown({ shown: page, before: shown });
  // Within the dialog the address is replaced, so that Back closes it.
  const go = (to: SettingsPage) => patch({ settings: to }, { replace: true });
  return (
    <Dialog
      title={pageTitles[shown]}
      isOpen={isOpen}
      onClose={onClose}
      onClosed={() => setShown({ shown: 'list', before: null })}
      size={620}
      isFullScreen={isMobile}
    >
      <NewerNotice />
      {shown === 'list' ? (
        <SettingsList onOpen={go} cameFrom={before} />
      ) : (
        <div key={shown}>
          <BackButton onClick={() => go('list')} hasFocus={before !== null} />
          {pages[shown]()}
        </div>
      )}
    </Dialog>
  );
}

/** The way back has the focus when one comes from the list; what follows is the page. */
function BackButton({ onClick, hasFocus }: { onClick: () => void; hasFocus: boolean }) {
  return (
    <button type="button" className={classes.back} onClick={onClick} ref={useFocusAtFirst(hasFocus)}>
      <IconChevronLeft size={20} stroke={1.8} aria-hidden="true" />
      All settings
    </button>
  );
}

function NewerNotice() {
  if (!useAreSettingsNewer()) return null;
  return (
    <p className={classes.notice} role="status">
      Your settings were stored by a newer version of Headrace. What you change here holds until you reload
      the page and isn't stored.
    </p>
  );
}
