import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';

/** What of an open gateway dialog stands in the address. */
export interface GatewayDialogSearch {
  gateway?: string | undefined;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Opened from the page below, as a dialog or a form: closing it goes back there. */
    opened?: boolean;
  }
}

/** For `<Link to="." search={...}>`: the same page with a gateway's dialog open. */
export function openGateway(gateway: string) {
  return {
    to: '.',
    search: ((before: object) => ({ ...before, gateway })) as never,
    state: { opened: true },
    resetScroll: false,
  } as const;
}

export function useGatewayDialog(): { id: string | undefined; close: () => void } {
  const { gateway } = useSearch({ strict: false }) as GatewayDialogSearch;
  const navigate = useNavigate();
  const router = useRouter();
  const close = () => {
    if (router.state.location.state.opened) router.history.back();
    else {
      const search = ((before: object) => ({ ...before, gateway: undefined })) as never;
      void navigate({ to: '.', search, replace: true, resetScroll: false });
    }
  };
  return { id: gateway, close };
}
