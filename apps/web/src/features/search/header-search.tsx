import { Suspense, useEffect, useRef, useState } from 'react';
import { useRouter } from '@tanstack/react-router';
import { lazyAgain } from '../../ui/lazy-again.ts';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { HeaderButtonPlace } from '../../ui/header-button.tsx';
import type { SearchBoxProps } from './search-box.tsx';
import { SearchButton } from './search-button.tsx';
import type { SearchSheetProps } from './search-sheet.tsx';

const SearchSheet = lazyDialog<SearchSheetProps>(() =>
  import('./search-sheet.tsx').then((m) => m.SearchSheet),
);
/** Where it doesn't come a button stands in its place, and asks for it again. */
const searchBox = lazyAgain<SearchBoxProps & { onAgain: () => void }>(
  () => import('./search-box.tsx').then((m) => m.SearchBox),
  ({ onAgain }) => <SearchButton aria-label="The search couldn't be loaded. Try again" onClick={onAgain} />,
);

/** The header's search: a box, or on phones a button that opens a sheet. */
export function HeaderSearch() {
  return useIsMobile() ? <PhoneSearch /> : <DesktopSearch />;
}

function DesktopSearch() {
  const field = useRef<HTMLInputElement>(null);
  useSlashKey(() => {
    field.current?.focus();
    field.current?.select();
  });
  const [SearchBox, setSearchBox] = useState(() => searchBox.current);
  return (
    <Suspense fallback={<HeaderButtonPlace />}>
      <SearchBox field={field} onAgain={() => setSearchBox(() => searchBox.current)} />
    </Suspense>
  );
}

function PhoneSearch() {
  const [isOpen, setIsOpen] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  const open = () => {
    setIsAsked(true);
    setIsOpen(true);
  };
  useSlashKey(open);
  const router = useRouter();
  // Back goes to the page before: the sheet would stand over it.
  useEffect(
    () => router.subscribe('onResolved', ({ hrefChanged }) => hrefChanged && setIsOpen(false)),
    [router],
  );
  return (
    <>
      <SearchButton onClick={open} />
      {isAsked && <SearchSheet isOpen={isOpen} onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** "/" leads to the search, unless something is being typed or a dialog is open. */
function useSlashKey(act: () => void): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
        return;
      if (isTyping(event.target) || document.querySelector('[aria-modal="true"]')) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [role="combobox"]'));
