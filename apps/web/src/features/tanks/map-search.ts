import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import type { TankDialogSearch } from './tank-search.ts';

/** What the tank map keeps in its address. */
export interface TankMapSearch extends TankDialogSearch {
  /** A sensor's serial number: its popup opens. */
  p?: string | undefined;
  /** "1": the battery's chart in full. */
  a?: string | undefined;
  filter?: string | undefined;
  sort?: string | undefined;
  /** An open gateway dialog. */
  gateway?: string | undefined;
}

/** For `<Link to="." search={...}>`: the map with a gateway's dialog open. */
export function openGateway(gateway: string) {
  return {
    to: '.',
    search: ((before: object) => ({ ...before, gateway })) as never,
    state: { opened: true },
    resetScroll: false,
  } as const;
}

export function useGatewayDialog(): { id: string | undefined; close: () => void } {
  const { gateway } = useSearch({ strict: false }) as TankMapSearch;
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
