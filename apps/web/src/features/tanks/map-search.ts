import type { GatewayDialogSearch } from '../gateways/gateway-search.ts';
import type { TankDialogSearch } from './tank-search.ts';

/** What the tank map keeps in its address. */
export interface TankMapSearch extends TankDialogSearch, GatewayDialogSearch {
  /** A sensor's serial number: its popup opens. */
  p?: string | undefined;
  /** "1": the battery's chart in full. */
  a?: string | undefined;
  filter?: string | undefined;
  sort?: string | undefined;
}
