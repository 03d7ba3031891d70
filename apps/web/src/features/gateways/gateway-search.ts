import { dialogLink, useDialogAddress } from '../../ui/dialog-address.ts';

/** What of an open gateway dialog stands in the address. */
export interface GatewayDialogSearch {
  gateway?: string | undefined;
}

const CLOSED: GatewayDialogSearch = { gateway: undefined };

/** For a link: the same page with a gateway's dialog open. */
export const openGateway = (gateway: string) => dialogLink({ gateway });

export function useGatewayDialog(): { id: string | undefined; close: () => void } {
  const { search, close } = useDialogAddress(CLOSED);
  return { id: search.gateway, close };
}
