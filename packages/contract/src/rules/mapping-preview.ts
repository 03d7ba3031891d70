import {
  applyMapping,
  type FieldMappingEntry,
  mappingFault,
  maxMappingLines as mappingLinesMax,
} from '@headrace/device/field-mapping';
import { metricInfo, sensorMetrics } from '@headrace/device/metrics';

export { mappingLinesMax };
export type { FieldMappingEntry };

/** A value that a mapping can name, as people read it. */
export interface MappableMetric {
  readonly name: string;
  readonly label: string;
  readonly unit: string;
}
export const mappableMetrics: readonly MappableMetric[] = sensorMetrics;

/** What one line of a mapping makes of a decoded message: a value in the metric's unit, nothing, or why it can't. */
export type LinePreview =
  | { readonly value: number | boolean | null; readonly unit: string }
  | { readonly problem: string }
  | null;

/** Each line by itself, in the order of the mapping. */
export function previewMapping(data: unknown, mapping: readonly FieldMappingEntry[]): LinePreview[] {
  return mapping.map((line) => {
    const { values, problems } = applyMapping(data, [line]);
    const [problem] = problems;
    if (problem !== undefined) return { problem };
    const [found] = Object.entries(values);
    if (!found || found[1] === undefined) return null;
    const [metric, value] = found;
    return { value, unit: metricInfo(metric)?.unit || (line.unit ?? '') };
  });
}

/** What is wrong with a mapping as a whole: the line's place, then the sentence; null when it can be used. */
export function validateMapping(mapping: readonly FieldMappingEntry[]): string | null {
  return mappingFault(mapping);
}
