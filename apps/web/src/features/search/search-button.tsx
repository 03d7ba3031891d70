import { IconSearch } from '@tabler/icons-react';
import { HeaderButton, type HeaderButtonProps } from '../../ui/header-button.tsx';

export function SearchButton(props: HeaderButtonProps) {
  return (
    <HeaderButton aria-label="Search devices" {...props}>
      <IconSearch size={21} stroke={1.8} aria-hidden="true" />
    </HeaderButton>
  );
}
