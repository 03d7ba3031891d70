import L from 'leaflet';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { restoreCanvas, stubCanvas } from './fake-canvas.ts';
import { LabelLayer } from './label-layer.ts';
import { LandLayer } from './land-layer.ts';
import { mapPalettes } from './map-palette.ts';
import { SketchLayer } from './sketch-layer.ts';

let map: L.Map;
beforeEach(() => {
  stubCanvas();
  const box = document.createElement('div');
  Object.defineProperties(box, { clientWidth: { value: 400 }, clientHeight: { value: 800 } });
  document.body.append(box);
  map = L.map(box, { attributionControl: false, zoomControl: false }).setView([-43.6, 171.9], 13);
});
afterEach(() => {
  map.remove();
  document.body.replaceChildren();
  restoreCanvas();
});

const canvases = () => [...document.querySelectorAll('canvas')];
/** In a task that has ended all frames before it are drawn. */
const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
const town = (lat: number, lng: number) => ({ name: 'Methven', lat, lng, rank: 2 });

describe('a layer of the map takes memory for what it shows', () => {
  test('for a sketch once something is drawn: a quarter more than the view on each side', async () => {
    const sketch = new SketchLayer('overlayPane').addTo(map);
    sketch.setPaint(() => false);
    await drawn();
    expect(canvases().map(({ width, style }) => [width, style.display])).toEqual([[300, 'none']]);
    sketch.setPaint(({ context }) => {
      context.fillRect(0, 0, 10, 10);
      return true;
    });
    await drawn();
    expect(canvases().map(({ width, height, style }) => [width, height, style.display])).toEqual([
      [600, 1200, ''],
    ]);
  });

  test("for towns' names where a town is in sight", () => {
    const labels = new LabelLayer(mapPalettes.light, 'overlayPane').addTo(map);
    labels.setBasemaps([{ land: [], towns: [town(-36.8, 174.7)] }]);
    expect(canvases().map(({ width, style }) => [width, style.display])).toEqual([[300, 'none']]);
    labels.setBasemaps([{ land: [], towns: [town(-43.6, 171.9)] }]);
    expect(canvases().map(({ width, style }) => [width, style.display])).toEqual([[600, '']]);
  });

  test('for tiles of land once the land is known', async () => {
    const land = new LandLayer(mapPalettes.light, 'tilePane').addTo(map);
    const widths = () => new Set(canvases().map(({ width }) => width));
    expect(widths()).toEqual(new Set([300]));
    land.setBasemaps([{ land: [], towns: [] }]);
    await expect.poll(widths).toEqual(new Set([512]));
  });
});
