import type L from 'leaflet';
import { DOUBLE_CLICK_MS } from '@headrace/contract/limits';
import { GRIP_REACH_PX } from './draft.ts';

/**
 * Tells of each click on a map whether it follows another at the same place so soon that both are one double click: the map
 * zooms by it, and what the first one did isn't done again or undone. What the system calls a double click (`detail`) is one
 * however slow, because the map zooms by that; phones that don't count are measured.
 */
export function secondClicks(): (click: L.LeafletMouseEvent) => boolean {
  let last = { x: 0, y: 0, at: -Infinity };
  return ({ containerPoint: { x, y }, originalEvent: { detail, timeStamp } }) => {
    const isNear = Math.hypot(x - last.x, y - last.y) <= GRIP_REACH_PX;
    const isSecond = detail > 1 || (isNear && timeStamp - last.at <= DOUBLE_CLICK_MS);
    last = { x, y, at: timeStamp };
    return isSecond;
  };
}

/** Whether a click was on the map itself: what stood in a popup that the click closed is no longer there to tell. */
export const isOnMap = ({ originalEvent: { target } }: L.LeafletMouseEvent): boolean =>
  target instanceof Node && target.isConnected;
