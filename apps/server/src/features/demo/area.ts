const EARTH_RADIUS_M = 6_371_008.8;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Area of a polygon on the sphere, hectares (Chamberlain & Duquette, "Some algorithms for polygons on a sphere", JPL 2007). */
export function areaHectares(polygon: readonly { lat: number; lng: number }[]): number {
  let sum = 0;
  for (const [index, point] of polygon.entries()) {
    const next = polygon[(index + 1) % polygon.length] ?? point;
    sum += radians(next.lng - point.lng) * (2 + Math.sin(radians(point.lat)) + Math.sin(radians(next.lat)));
  }
  return Math.abs((sum * EARTH_RADIUS_M * EARTH_RADIUS_M) / 2) / 10_000;
}
