import { useRef } from 'react';
import { Modal } from '@mantine/core';
import { SearchBox } from './search-box.tsx';

export interface SearchSheetProps {
  isOpen: boolean;
  onClose: () => void;
}

/** The search on a phone: the whole screen. */
export function SearchSheet({ isOpen, onClose }: SearchSheetProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title="Search devices"
      fullScreen
      radius={0}
      closeButtonProps={{ 'aria-label': 'Close', size: 44 }}
      attributes={{ header: { role: 'none' } }}
    >
      <SearchBox field={field} isSheet onDone={onClose} />
    </Modal>
  );
}
