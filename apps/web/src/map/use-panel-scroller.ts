import { useIsMobile } from '../ui/use-is-mobile.ts';

/** What scrolls the list of a map page: beside the map the list itself; over it, on a phone, all of the panel, as there is less room. */
export const usePanelScroller = (): 'around' | 'itself' => (useIsMobile() ? 'around' : 'itself');
