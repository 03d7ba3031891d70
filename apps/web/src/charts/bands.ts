/** A stretch of an axis with a name, in the order of their starts. */
export interface Band {
  name: string;
  start: number;
  color: string;
}

/** A band too thin for its name, as a share of the axis. */
const THIN = 0.055;

/** Bands as backgrounds with their names, from each start to the next one's, up to where the axis ends. */
export function bandAreas(bands: readonly Band[], max: number, text: string, opacity: number) {
  const ends = bands.map((_, index) => Math.min(bands[index + 1]?.start ?? max, max));
  return {
    silent: true,
    label: { position: 'insideTopLeft' as const, color: text, fontSize: 11.5, fontWeight: 600 as const },
    data: bands.flatMap(({ name, start, color }, index) => {
      const end = ends[index] ?? max;
      if (end <= start) return [];
      const label = { show: (end - start) / max >= THIN, formatter: name };
      return [[{ name, yAxis: start, itemStyle: { color, opacity }, label }, { yAxis: end }]] as [
        { name: string; yAxis: number; itemStyle: object; label: object },
        { yAxis: number },
      ][];
    }),
  };
}
