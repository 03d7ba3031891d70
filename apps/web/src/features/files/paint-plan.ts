import type { ImportRow } from '@headrace/contract/imports';
import type { LatLng } from '@headrace/contract/schemas';
import type { Frame } from '../../map/canvas-layer.ts';
import { mapPalettes } from '../../map/map-palette.ts';
import type { Scheme } from '../../ui/tokens.ts';

export interface PlanLook {
  rows: readonly ImportRow[];
  isTicked: (row: ImportRow) => boolean;
  scheme: Scheme;
}

/** Nearer than this old and new place are one mark, px. */
const ARROW_MIN_PX = 14;
/** Of what isn't ticked. */
const FAINT = 0.35;

/** Outlines of areas, and from where to where devices would move. The places themselves are markers. */
export function paintPlan(frame: Frame, { rows, isTicked, scheme }: PlanLook): boolean {
  const { context } = frame;
  const { boundary: colour, halo } = mapPalettes[scheme];
  for (const row of rows) {
    const { ring, was, place } = row;
    context.globalAlpha = isTicked(row) ? 1 : FAINT;
    if (ring) paintOutline(frame, ring, { colour, halo, isWide: row.kind === 'boundary' });
    if (was && place) paintArrow(frame, was, place, { colour, halo });
  }
  context.globalAlpha = 1;
  return rows.length > 0;
}

interface Ink {
  colour: string;
  halo: string;
}

function paintOutline(
  { context, place }: Frame,
  ring: readonly LatLng[],
  { colour, halo, isWide }: Ink & { isWide: boolean },
) {
  context.beginPath();
  for (const { lat, lng } of ring) {
    const { x, y } = place(lat, lng);
    context.lineTo(x, y);
  }
  context.closePath();
  context.lineJoin = 'round';
  stroke(context, { colour, halo }, isWide ? 3 : 1.5, isWide ? [10, 6] : []);
}

/** From a hollow disc where it stands to where it would stand. */
function paintArrow({ context, place }: Frame, was: LatLng, is: LatLng, ink: Ink): void {
  const [from, to] = [place(was.lat, was.lng), place(is.lat, is.lng)];
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  if (length < ARROW_MIN_PX) return;
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  context.beginPath();
  context.arc(from.x, from.y, 5, 0, Math.PI * 2);
  context.moveTo(from.x + dx * 5, from.y + dy * 5);
  context.lineTo(to.x, to.y);
  for (const side of [-1, 1]) {
    context.moveTo(to.x, to.y);
    context.lineTo(to.x - dx * 10 + side * dy * 5, to.y - dy * 10 - side * dx * 5);
  }
  stroke(context, ink, 2, []);
}

function stroke(
  context: CanvasRenderingContext2D,
  { colour, halo }: Ink,
  width: number,
  dash: number[],
): void {
  context.setLineDash([]);
  context.lineWidth = width + 2.5;
  context.strokeStyle = halo;
  context.stroke();
  context.setLineDash(dash);
  context.lineWidth = width;
  context.strokeStyle = colour;
  context.stroke();
  context.setLineDash([]);
}
