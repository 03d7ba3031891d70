import type { LatLng } from '@headrace/contract/schemas';
import { conditionColours, type Scheme } from '../ui/tokens.ts';
import type { Frame } from './canvas-layer.ts';
import { sideMiddles, type Px, type Ring } from './draft.ts';
import { mapPalettes } from './map-palette.ts';
import { RIM_PX, tracePin } from './pin-shape.ts';

export interface RingLook {
  ring: Ring;
  isClosed: boolean;
  /** Corners and middles that can be taken hold of. */
  hasGrips: boolean;
  hasMiddles?: boolean;
  selected: number | null;
  /** Where sides cross. */
  crossings: readonly LatLng[];
  isWrong: boolean;
  scheme: Scheme;
}

/** A boundary under the pencil: its sides, corners, middles, and a cross wherever it crosses itself. */
export function paintRing(frame: Frame, look: RingLook): void {
  const { context, place } = frame;
  const places = look.ring.map(({ lat, lng }) => place(lat, lng));
  const colour = look.isWrong ? conditionColours[look.scheme].issue : mapPalettes[look.scheme].boundary;
  const paper = paperOf(look.scheme);
  paintSides(context, places, look, colour, paper);
  if (look.hasGrips) {
    if (look.hasMiddles !== false)
      for (const { at } of sideMiddles(places, look.isClosed)) disc(context, at, 6, paper, colour, 2);
    for (const [index, at] of places.entries()) {
      const isSelected = index === look.selected;
      disc(context, at, isSelected ? 11 : 8, isSelected ? paper : colour, isSelected ? colour : paper, 3);
    }
  }
  for (const { lat, lng } of look.crossings) cross(context, place(lat, lng), look.scheme);
}

const paperOf = (scheme: Scheme) => (scheme === 'light' ? '#ffffff' : '#10181c');

function paintSides(
  context: CanvasRenderingContext2D,
  places: readonly Px[],
  { isClosed, isWrong }: RingLook,
  colour: string,
  paper: string,
): void {
  if (places.length < 2) return;
  context.beginPath();
  for (const { x, y } of places) context.lineTo(x, y);
  if (isClosed) context.closePath();
  if (places.length >= 3) {
    context.globalAlpha = 0.13;
    context.fillStyle = colour;
    context.fill('evenodd');
    context.globalAlpha = 1;
  }
  context.lineJoin = 'round';
  context.lineWidth = 6;
  context.strokeStyle = paper;
  context.stroke();
  context.lineWidth = 3;
  context.strokeStyle = colour;
  context.setLineDash(isWrong ? [9, 6] : []);
  context.stroke();
  context.setLineDash([]);
}

function disc(
  context: CanvasRenderingContext2D,
  { x, y }: Px,
  radius: number,
  fill: string,
  rim: string,
  rimWidth: number,
): void {
  context.beginPath();
  context.arc(x, y, radius, 0, Math.PI * 2);
  context.fillStyle = fill;
  context.fill();
  context.lineWidth = rimWidth;
  context.strokeStyle = rim;
  context.stroke();
}

function cross(context: CanvasRenderingContext2D, at: Px, scheme: Scheme): void {
  const colour = conditionColours[scheme].issue;
  disc(context, at, 12, paperOf(scheme), colour, 2.5);
  context.beginPath();
  context.moveTo(at.x - 4.5, at.y - 4.5);
  context.lineTo(at.x + 4.5, at.y + 4.5);
  context.moveTo(at.x + 4.5, at.y - 4.5);
  context.lineTo(at.x - 4.5, at.y + 4.5);
  context.stroke();
}

/** Middle of the farm's pin's head above its tip, px: more than a tank's, so that a finger on the head leaves the place in sight. */
export const PIN_UP_PX = 30;

/** The farm's pin, with its tip on the place. */
export function paintPin(frame: Frame, at: LatLng, scheme: Scheme, isFaint: boolean): void {
  const { context, place } = frame;
  const tip = place(at.lat, at.lng);
  context.globalAlpha = isFaint ? 0.55 : 1;
  context.beginPath();
  tracePin(context, tip, PIN_UP_PX);
  context.lineWidth = 2 * RIM_PX;
  context.strokeStyle = paperOf(scheme);
  context.lineJoin = 'round';
  context.stroke();
  context.fillStyle = mapPalettes[scheme].boundary;
  context.fill();
  disc(context, { x: tip.x, y: tip.y - PIN_UP_PX }, 4, paperOf(scheme), paperOf(scheme), 0.1);
  context.globalAlpha = 1;
}
