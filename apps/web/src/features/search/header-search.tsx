import { useEffect, useRef, useState } from 'react';
import { Modal } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import shell from '../../app/shell.module.css';
import { SearchBox } from './search-box.tsx';

/** The header's search: a box, or on phones a button that opens a sheet. */
export function HeaderSearch() {
  return useIsMobile() ? <PhoneSearch /> : <DeskSearch />;
}

function DeskSearch() {
  const field = useRef<HTMLInputElement>(null);
  useSlashKey(() => {
    field.current?.focus();
    field.current?.select();
  });
  return <SearchBox field={field} />;
}

function PhoneSearch() {
  const field = useRef<HTMLInputElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  useSlashKey(() => setIsOpen(true));
  return (
    <>
      <button
        type="button"
        className={shell.icon}
        aria-label="Search devices"
        onClick={() => setIsOpen(true)}
      >
        <IconSearch size={21} stroke={1.8} aria-hidden="true" />
      </button>
      <Modal
        opened={isOpen}
        onClose={() => setIsOpen(false)}
        title="Search devices"
        fullScreen
        radius={0}
        closeButtonProps={{ 'aria-label': 'Close', size: 44 }}
        attributes={{ header: { role: 'none' } }}
        onEnterTransitionEnd={() => field.current?.focus()}
      >
        <SearchBox field={field} isSheet onDone={() => setIsOpen(false)} />
      </Modal>
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
