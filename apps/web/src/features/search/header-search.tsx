import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useRouter } from '@tanstack/react-router';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { HeaderButtonPlace } from '../../ui/header-button.tsx';
import { SearchButton } from './search-button.tsx';

const SearchBox = lazy(() => import('./search-box.tsx').then((m) => ({ default: m.SearchBox })));
const SearchSheet = lazy(() => import('./search-sheet.tsx').then((m) => ({ default: m.SearchSheet })));

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
  return (
    <Suspense fallback={<HeaderButtonPlace />}>
      <SearchBox field={field} />
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
      {isAsked && (
        <Suspense>
          <SearchSheet isOpen={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
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
