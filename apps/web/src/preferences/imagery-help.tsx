import { Dialog } from '../forms/dialog.tsx';
import classes from './imagery-hint.module.css';

/** How a map gets imagery: by whoever runs the server, for all farms. */
export function ImageryHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Aerial imagery" onClose={onClose}>
      <p className={classes.about}>
        This server has no imagery set up, so maps show the land, lakes and towns that come with it. Whoever
        runs the server adds imagery for all farms by one of these settings and a restart:
      </p>
      <dl className={classes.lines}>
        <dt>
          <code>MAP_IMAGERY=linz</code> with <code>MAP_IMAGERY_KEY</code>
        </dt>
        <dd>Aerial photos of New Zealand by LINZ. The key is free: basemaps.linz.govt.nz.</dd>
        <dt>
          <code>MAP_IMAGERY=esri</code> with <code>MAP_IMAGERY_KEY</code>
        </dt>
        <dd>World Imagery by Esri, Australia too. It needs an ArcGIS account; some tiles are free.</dd>
        <dt>
          <code>MAP_IMAGERY=osm</code>
        </dt>
        <dd>Streets by OpenStreetMap, no photos. No key; for light use.</dd>
        <dt>
          <code>TILE_URL</code> with <code>TILE_ATTRIBUTION</code>
        </dt>
        <dd>Tiles of your own or of any other provider.</dd>
      </dl>
      <p>What each provider allows is in docs/configuration.md, which comes with the server.</p>
    </Dialog>
  );
}
