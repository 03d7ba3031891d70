import { type PointerEvent, type RefObject, useRef, useState } from 'react';
import { restAfter, type SheetHeight, sheetPx } from './map-sheet.ts';

/** Nearer to where it began it is a tap, px. */
const TAP_PX = 8;
/** How fast a finger leaves is told by its last moves, ms. */
const RECENT_MS = 80;

export interface SheetDrag {
  /** What it may cover. */
  readonly room: RefObject<HTMLElement | null>;
  readonly height: SheetHeight;
  readonly heights: readonly SheetHeight[];
  readonly onHeight: (height: SheetHeight) => void;
}

interface Drag {
  readonly pointer: number;
  readonly y: number;
  readonly fromPx: number;
  readonly roomPx: number;
  isMoved: boolean;
  moves: { readonly at: number; readonly y: number }[];
}

/** For the parts that a list is drawn up and down by. `px`: how much it covers meanwhile; null: nobody draws it. */
export function useSheetDrag({ room, height, heights, onHeight }: SheetDrag) {
  const drag = useRef<Drag | null>(null);
  /** The tap that a browser makes of the drag's end is none. */
  const isOver = useRef(false);
  const [px, setPx] = useState<number | null>(null);
  const pxAt = ({ fromPx, roomPx, y }: Drag, now: number) => Math.min(roomPx, Math.max(0, fromPx + y - now));
  const end = () => {
    drag.current = null;
    setPx(null);
  };
  const handlers = {
    onPointerDown: ({ pointerId, clientY, isPrimary, button }: PointerEvent) => {
      isOver.current = false;
      if (!isPrimary || button !== 0) return;
      const roomPx = room.current?.clientHeight ?? 0;
      const fromPx = sheetPx(height, roomPx);
      drag.current = { pointer: pointerId, y: clientY, fromPx, roomPx, isMoved: false, moves: [] };
    },
    onPointerMove: ({ pointerId, clientY, timeStamp, currentTarget }: PointerEvent) => {
      const now = drag.current;
      if (now?.pointer !== pointerId) return;
      if (!now.isMoved && Math.abs(clientY - now.y) < TAP_PX) return;
      if (!now.isMoved) currentTarget.setPointerCapture(pointerId);
      now.isMoved = true;
      now.moves = [
        ...now.moves.filter(({ at }) => at > timeStamp - RECENT_MS),
        { at: timeStamp, y: clientY },
      ];
      setPx(pxAt(now, clientY));
    },
    onPointerUp: ({ pointerId, clientY, timeStamp }: PointerEvent) => {
      const now = drag.current;
      if (now?.pointer !== pointerId) return;
      end();
      if (!now.isMoved) return;
      isOver.current = true;
      const speed = speedOf(now, timeStamp, clientY);
      onHeight(restAfter({ px: pxAt(now, clientY), roomPx: now.roomPx, speed }, heights));
    },
    onPointerCancel: end,
    onClickCapture: (event: { stopPropagation: () => void; preventDefault: () => void }) => {
      if (!isOver.current) return;
      isOver.current = false;
      event.stopPropagation();
      event.preventDefault();
    },
  };
  return { px, handlers };
}

/** Upwards, px a ms; nothing where the finger rested before it left. */
function speedOf({ moves }: Drag, at: number, y: number): number {
  const first = moves.find((move) => move.at > at - RECENT_MS);
  return first && at > first.at ? (first.y - y) / (at - first.at) : 0;
}
