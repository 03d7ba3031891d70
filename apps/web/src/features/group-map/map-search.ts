import type { TankDialogSearch } from '../tanks/tank-search.ts';

/** `filter` is what links carry; `show` holds the filters that have no word there. `ipc`: an open unit. `q`: what was searched for. */
export interface GroupMapSearch extends TankDialogSearch {
  farm?: string | undefined;
  gateway?: string | undefined;
  q?: string | undefined;
  /** Sprinklers are being chosen, to send a command to them alone. */
  choose?: string | undefined;
  filter?: string | undefined;
  show?: string | undefined;
  sort?: string | undefined;
  ipc?: string | undefined;
  /** What the open unit's history lists. */
  kind?: string | undefined;
  /** Id of a repeater whose dialog is open. */
  repeater?: string | undefined;
  prop?: string | undefined;
  cond?: string | undefined;
  value?: string | undefined;
}
