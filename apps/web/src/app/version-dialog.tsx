import { Button, Modal, Text } from '@mantine/core';

async function refresh(): Promise<void> {
  // The worker first, so that the reload already runs the new version.
  await navigator.serviceWorker
    ?.getRegistration()
    .then((registration) => registration?.update())
    .catch(() => undefined);
  location.reload();
}

/** The server is of another version than this page: there is no way on but to refresh. */
export function VersionDialog() {
  return (
    <Modal
      opened
      onClose={() => undefined}
      title="New Version Available"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      zIndex={700}
      styles={{ title: { fontSize: 'var(--hr-font-2xl)', fontWeight: 'var(--hr-weight-strong)' } }}
    >
      <Text mb="lg">Headrace was updated. Refresh this page to go on.</Text>
      <Button fullWidth onClick={() => void refresh()} data-autofocus>
        Refresh
      </Button>
    </Modal>
  );
}
