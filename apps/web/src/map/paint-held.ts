import type { Scheme } from '../ui/tokens.ts';
import type { Frame } from './canvas-layer.ts';
import { mapPalettes } from './map-palette.ts';
import type { MapMarker } from './marker.ts';
import { BODY_UP_PX, spriteOf } from './marker-sprites.ts';

/** The device that is being placed: its marker in a ring, larger than the others; dashed while it is only proposed. */
export function paintHeld(frame: Frame, marker: MapMarker, scheme: Scheme, isProposed = false): void {
  const { context } = frame;
  const { x, y } = frame.place(marker.lat, marker.lng);
  const sprite = spriteOf(marker, scheme);
  context.beginPath();
  context.arc(x, y - BODY_UP_PX[marker.shape], 22, 0, Math.PI * 2);
  context.fillStyle = scheme === 'light' ? 'rgb(11 114 133 / 22%)' : 'rgb(92 207 224 / 26%)';
  context.fill();
  context.lineWidth = 2.5;
  context.strokeStyle = mapPalettes[scheme].boundary;
  if (isProposed) context.setLineDash([5, 4]);
  context.stroke();
  context.setLineDash([]);
  context.drawImage(sprite.canvas, x - sprite.anchorX, y - sprite.anchorY, sprite.size, sprite.size);
}

/** From where a device stands to where it is held. */
export function paintWay(frame: Frame, from: MapMarker, to: MapMarker, scheme: Scheme): void {
  const { context } = frame;
  const up = BODY_UP_PX[from.shape];
  const [a, b] = [frame.place(from.lat, from.lng), frame.place(to.lat, to.lng)];
  const { halo, boundary } = mapPalettes[scheme];
  context.beginPath();
  context.moveTo(a.x, a.y - up);
  context.lineTo(b.x, b.y - up);
  for (const [colour, width] of [
    [halo, 5],
    [boundary, 2],
  ] as const) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.setLineDash(width === 2 ? [6, 5] : []);
    context.stroke();
  }
  context.setLineDash([]);
}
