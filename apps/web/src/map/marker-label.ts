import { conditionColours, type Scheme } from '../ui/tokens.ts';
import { LABEL_FONT } from './label-layer.ts';
import { mapPalettes } from './map-palette.ts';
import { markerLabel, type MapMarker } from './marker.ts';

const PILL_HEIGHT_PX = 24;
/** Baseline of a sprinkler's name below its middle, px. */
const BELOW_PX = 21;
const NAME_FONT = `600 12.5px ${LABEL_FONT}`;
const VALUE_FONT = `700 12.5px ${LABEL_FONT}`;
const UNIT_FONT = `600 11.5px ${LABEL_FONT}`;

/**
 * A marker's name. Sprinklers stand 35 to 50 m apart, 40 to 60 px at zoom 17: their names lie below them, the others'
 * beside them.
 */
export function paintMarkerLabel(
  context: CanvasRenderingContext2D,
  marker: MapMarker,
  x: number,
  y: number,
  scheme: Scheme,
): void {
  if (marker.shape === 'sprinkler') paintBelow(context, markerLabel(marker.name), x, y, scheme);
  else paintPill(context, marker, x, y, scheme);
}

function paintBelow(
  context: CanvasRenderingContext2D,
  name: string,
  x: number,
  y: number,
  scheme: Scheme,
): void {
  const palette = mapPalettes[scheme];
  context.font = UNIT_FONT;
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  context.lineJoin = 'round';
  context.lineWidth = 3.5;
  context.strokeStyle = palette.halo;
  context.strokeText(name, x, y + BELOW_PX);
  context.fillStyle = palette.text;
  context.fillText(name, x, y + BELOW_PX);
}

function paintPill(
  context: CanvasRenderingContext2D,
  marker: MapMarker,
  x: number,
  y: number,
  scheme: Scheme,
): void {
  const palette = mapPalettes[scheme];
  const name = markerLabel(marker.name);
  const value = marker.value ?? '';
  context.textBaseline = 'middle';
  context.textAlign = 'left';
  context.font = NAME_FONT;
  const nameWidth = context.measureText(name).width;
  context.font = VALUE_FONT;
  const valueWidth = value ? context.measureText(value).width + 8 : 0;
  const left = x + 4;
  context.beginPath();
  context.roundRect(
    left,
    y - PILL_HEIGHT_PX / 2,
    nameWidth + valueWidth + 30,
    PILL_HEIGHT_PX,
    PILL_HEIGHT_PX / 2,
  );
  context.fillStyle = palette.pill;
  context.fill();
  context.lineWidth = 1;
  context.strokeStyle = palette.pillLine;
  context.stroke();
  context.font = NAME_FONT;
  context.fillStyle = palette.text;
  context.fillText(name, left + 18, y + 0.5);
  if (!value) return;
  context.font = VALUE_FONT;
  context.fillStyle = conditionColours[scheme][marker.condition];
  context.fillText(value, left + 18 + nameWidth + 8, y + 0.5);
}
