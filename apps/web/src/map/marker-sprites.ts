import { conditionShapes } from '../ui/condition-shapes.ts';
import { type Condition, conditionColours, type Scheme } from '../ui/tokens.ts';
import type { MapMarker } from './marker.ts';
import { poiSigns } from './poi-signs.ts';
import { PIN_HEAD_PX, RIM_PX, tracePin } from './pin-shape.ts';
import { drawLook, drawSign } from './sprinkler-look.ts';

/** A marker's picture and where on it the place is, px. */
export interface Sprite {
  canvas: HTMLCanvasElement;
  size: number;
  anchorX: number;
  anchorY: number;
}

/** Sprites are drawn on a square of this side, px. */
const SIZE = 48;
const MIDDLE = SIZE / 2;
/** Where in it the tip of a pin is, px from its top. */
const TIP = SIZE - 4;
/** Middle of the body above the place it points at, px. */
export const BODY_UP_PX = { tank: 19, gateway: 0, repeater: 0, poi: 13, sprinkler: 0, sensor: 0 } as const;

const sprites = new Map<string, Sprite>();

function keyOf(marker: MapMarker, scheme: Scheme, ratio: number, share: number): string {
  const fill = marker.fill === null || marker.fill === undefined ? '-' : Math.round(marker.fill / 5);
  const look = marker.isFaint
    ? 'faint'
    : `${marker.condition}/${marker.look ?? 'said'}${marker.isStopAwaited ?? ''}`;
  return `${marker.shape}${marker.sign ?? ''}/${look}/${fill}/${scheme}/${ratio}/${share}`;
}

/** One picture for all markers that look the same: five thousand of them are a handful of pictures. `share` of its size. */
export function spriteOf(marker: MapMarker, scheme: Scheme, share = 1): Sprite {
  const ratio = Math.min(2, window.devicePixelRatio || 1);
  const key = keyOf(marker, scheme, ratio, share);
  let sprite = sprites.get(key);
  if (!sprite) {
    sprite = draw(marker, scheme, ratio, share);
    sprites.set(key, sprite);
  }
  return sprite;
}

function draw(marker: MapMarker, scheme: Scheme, ratio: number, share: number): Sprite {
  const canvas = document.createElement('canvas');
  const size = Math.round(SIZE * share);
  canvas.width = canvas.height = size * ratio;
  const context = canvas.getContext('2d');
  const anchorY = marker.shape === 'tank' || marker.shape === 'poi' ? TIP : MIDDLE;
  const sprite = { canvas, size, anchorX: MIDDLE * share, anchorY: anchorY * share };
  if (!context) return sprite;
  context.scale(ratio * share, ratio * share);
  const colour = conditionColours[scheme][marker.condition];
  const paper = scheme === 'light' ? '#ffffff' : '#10181c';
  context.shadowColor = 'rgb(0 20 30 / 35%)';
  context.shadowBlur = 3;
  context.shadowOffsetY = 1;
  if (marker.isFaint) drawFaint(context, scheme);
  else painters[marker.shape](context, { colour, paper, colours: conditionColours[scheme], marker });
  return sprite;
}

export interface Ink {
  colour: string;
  paper: string;
  /** Of signs at its corners. */
  colours: Record<Condition, string>;
  marker: MapMarker;
}
type Painter = (context: CanvasRenderingContext2D, ink: Ink) => void;

const painters: Record<MapMarker['shape'], Painter> = {
  tank: drawTank,
  gateway: (context, ink) => drawBadge(context, ink, squarePath(11, 5), antenna),
  repeater: (context, ink) => drawBadge(context, ink, hexagonPath(12.5), waves),
  poi: drawPoi,
  sprinkler: drawSprinkler,
  sensor: drawSprinkler,
};

/** A unit that a filter leaves out: white, and seen through. */
function drawFaint(context: CanvasRenderingContext2D, scheme: Scheme): void {
  context.shadowColor = 'transparent';
  context.beginPath();
  context.arc(MIDDLE, MIDDLE, 6, 0, Math.PI * 2);
  context.fillStyle = scheme === 'light' ? 'rgb(255 255 255 / 65%)' : 'rgb(255 255 255 / 18%)';
  context.fill();
  context.lineWidth = 1.2;
  context.strokeStyle = scheme === 'light' ? 'rgb(70 90 100 / 60%)' : 'rgb(200 215 222 / 55%)';
  context.stroke();
}

/** Of the round window in a tank's pin, px. */
const WINDOW_PX = PIN_HEAD_PX - 3;

/** A pin: a round window on the water in the tank, and a tip on the place. */
function drawTank(context: CanvasRenderingContext2D, ink: Ink): void {
  const { colour, paper, marker } = ink;
  const y = TIP - BODY_UP_PX.tank;
  const pin = new Path2D();
  tracePin(pin, { x: MIDDLE, y: TIP }, BODY_UP_PX.tank);
  fillWithRim(context, pin, colour, paper);
  const window = new Path2D();
  window.arc(MIDDLE, y, WINDOW_PX, 0, Math.PI * 2);
  context.fillStyle = paper;
  context.fill(window);
  if (marker.fill !== null && marker.fill !== undefined) drawWater(context, window, y, marker.fill, colour);
  if (marker.condition !== 'ok') drawConditionMark(context, MIDDLE + 11, y - 11, ink);
}

/** Water with a wave on it, so many percent of the window. */
function drawWater(
  context: CanvasRenderingContext2D,
  window: Path2D,
  y: number,
  percent: number,
  colour: string,
): void {
  const left = MIDDLE - WINDOW_PX;
  const right = MIDDLE + WINDOW_PX;
  const bend = WINDOW_PX / 2;
  const top = y + WINDOW_PX * (1 - percent / 50);
  context.save();
  context.clip(window);
  context.fillStyle = colour;
  context.globalAlpha = 0.6;
  context.beginPath();
  context.moveTo(left, top);
  context.bezierCurveTo(left + bend, top - 1.2, left + bend, top + 1.2, MIDDLE, top);
  context.bezierCurveTo(right - bend, top - 1.2, right - bend, top + 1.2, right, top);
  context.lineTo(right, y + WINDOW_PX);
  context.lineTo(left, y + WINDOW_PX);
  context.fill();
  context.restore();
}

/** The condition's own shape in the corner: colour never stands alone. */
function drawConditionMark(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  { colour, paper, marker }: Ink,
): void {
  const disc = new Path2D();
  disc.arc(x, y, 9, 0, Math.PI * 2);
  context.fillStyle = paper;
  context.fill(disc);
  context.save();
  context.translate(x - 7, y - 7.4);
  context.scale(14 / 16, 14 / 16);
  context.fillStyle = colour;
  context.fill(new Path2D(conditionShapes[marker.condition]), 'evenodd');
  context.restore();
}

function drawBadge(
  context: CanvasRenderingContext2D,
  ink: Ink,
  path: Path2D,
  glyph: (c: CanvasRenderingContext2D) => void,
): void {
  fillWithRim(context, path, ink.colour, ink.paper);
  context.strokeStyle = ink.paper;
  context.lineWidth = 1.8;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  glyph(context);
  if (ink.marker.condition === 'issue' || ink.marker.condition === 'caution')
    drawConditionMark(context, MIDDLE + 11, MIDDLE - 11, ink);
}

/** Of the round window in a point's pin with a sign in it, px. */
const SIGN_WINDOW_PX = 7;

/** Smaller than a tank's pin, which may need somebody; in its head the sign of its kind. */
function drawPoi(context: CanvasRenderingContext2D, { colour, paper, marker }: Ink): void {
  const pin = new Path2D();
  pin.addPath(
    new Path2D(conditionShapes.poi),
    new DOMMatrix([1.7, 0, 0, 1.7, MIDDLE - 13.6, TIP - 15.2 * 1.7]),
  );
  context.lineWidth = 2 * RIM_PX;
  context.strokeStyle = paper;
  context.stroke(pin);
  context.shadowColor = 'transparent';
  const y = TIP - 15.6;
  const sign = poiSigns[marker.sign ?? ''];
  const middle = new Path2D();
  middle.arc(MIDDLE, y, sign ? SIGN_WINDOW_PX : 5, 0, Math.PI * 2);
  if (!sign) {
    context.fillStyle = paper;
    context.fill(middle);
  }
  context.fillStyle = colour;
  context.fill(pin, 'evenodd');
  if (!sign) return;
  context.fillStyle = paper;
  context.fill(middle);
  context.save();
  context.translate(MIDDLE - 5, y - 5);
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.stroke(new Path2D(sign));
  context.restore();
}

function drawSprinkler(context: CanvasRenderingContext2D, ink: Ink): void {
  const { colour, paper, marker } = ink;
  const disc = new Path2D();
  disc.arc(MIDDLE, MIDDLE, 11, 0, Math.PI * 2);
  context.fillStyle = paper;
  context.fill(disc);
  context.shadowColor = 'transparent';
  context.save();
  context.translate(MIDDLE - 11.2, MIDDLE - 11.2);
  context.scale(1.4, 1.4);
  const shape = new Path2D(conditionShapes[marker.condition]);
  if (marker.look && marker.condition === 'watering') drawLook(context, shape, ink, marker.look);
  else {
    context.fillStyle = colour;
    context.fill(shape, 'evenodd');
  }
  context.restore();
  const sign = (text: string, up: number, condition: Condition) =>
    drawSign(context, text, [MIDDLE + 9, MIDDLE - up], [paper, ink.colours[condition]]);
  if (marker.look === 'overdue') sign('!', 9, 'issue');
  if (marker.isStopAwaited) sign('II', -9, 'inhibited');
}

function fillWithRim(context: CanvasRenderingContext2D, path: Path2D, colour: string, paper: string): void {
  context.lineWidth = 2 * RIM_PX;
  context.strokeStyle = paper;
  context.lineJoin = 'round';
  context.stroke(path);
  context.shadowColor = 'transparent';
  context.fillStyle = colour;
  context.fill(path);
}

function squarePath(half: number, radius: number): Path2D {
  const path = new Path2D();
  path.roundRect(MIDDLE - half, MIDDLE - half, half * 2, half * 2, radius);
  return path;
}

function hexagonPath(radius: number): Path2D {
  const path = new Path2D();
  for (let corner = 0; corner < 6; corner++) {
    const angle = (Math.PI / 3) * corner + Math.PI / 6;
    path.lineTo(MIDDLE + radius * Math.cos(angle), MIDDLE + radius * Math.sin(angle));
  }
  path.closePath();
  return path;
}

function antenna(context: CanvasRenderingContext2D): void {
  context.beginPath();
  context.moveTo(MIDDLE, MIDDLE - 1);
  context.lineTo(MIDDLE, MIDDLE + 6.5);
  context.moveTo(MIDDLE - 4, MIDDLE + 6.5);
  context.lineTo(MIDDLE + 4, MIDDLE + 6.5);
  context.stroke();
  for (const radius of [3.6, 6.8]) {
    for (const side of [0, Math.PI]) {
      context.beginPath();
      context.arc(MIDDLE, MIDDLE - 1.5, radius, side - 0.75, side + 0.75);
      context.stroke();
    }
  }
}

function waves(context: CanvasRenderingContext2D): void {
  for (const radius of [2.2, 6.2]) {
    for (const side of [0, Math.PI]) {
      context.beginPath();
      context.arc(MIDDLE, MIDDLE, radius, side - 0.85, side + 0.85);
      context.stroke();
    }
  }
}
