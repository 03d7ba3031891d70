import { Popover } from '@mantine/core';
import { useOpenAtOnce } from '../../ui/use-open-at-once.ts';
import { BellButton } from './bell-button.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';

const NotificationList = lazyPart(() => import('./notification-list.tsx').then((m) => m.NotificationList), {
  failed: "The notifications couldn't be loaded",
  waiting: <div style={{ minHeight: 240 }} aria-busy="true" />,
});

/** The header's bell with the newest notifications below it. */
export function Bell() {
  const { button, isOpen, setIsOpen } = useOpenAtOnce();
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      width="min(400px, calc(100vw - 16px))"
      position="bottom-end"
      radius="lg"
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <BellButton ref={button} onClick={() => setIsOpen(!isOpen)} />
      </Popover.Target>
      <Popover.Dropdown p={0}>
        <NotificationList onLeave={() => setIsOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}
