import { applyMapping, type FieldMapping, type MappingResult } from '@headrace/device/field-mapping';
import { mappedReadings, type Reading } from '@headrace/device/readings';
import type { KnownDevice } from './device-directory.ts';
import type { NetworkPart } from './uplink.ts';

/** What became of an uplink's payload. */
export interface ReadPayload {
  readonly readings: readonly Reading[];
  /** Why all or some of it could not be read. */
  readonly problems: readonly string[];
  readonly object: object | null;
  /** The codec that decoded it; null when the network server did. */
  readonly codec: string | null;
  readonly warnings: readonly string[];
}

/** What isn't decoded and has no bytes, or is of port 0, only answers the network. */
export function hasPayload({ uplink: { fPort, bytes, object } }: NetworkPart): boolean {
  return object !== null || (fPort !== 0 && !!bytes?.length);
}

/** Whether the sensor's own codec has to decode this first. */
export function needsCodec({ uplink, decoding }: NetworkPart, device: KnownDevice | undefined): boolean {
  return decoding === undefined && !!device?.codec && !!uplink.bytes?.length && uplink.fPort !== 0;
}

/** Null when there is no payload: such an uplink only answers the network, which is nothing to keep and nothing wrong. */
export function readPayload(device: KnownDevice, part: NetworkPart): ReadPayload | null {
  const { uplink, decoding } = part;
  if (decoding) {
    const codec = device.codec?.name ?? null;
    if (!decoding.ok) return nothingRead(`codec ${codec}: ${decoding.reason}`, codec);
    const mapping = device.mapping ?? decoding.mapping;
    return { ...readObject(decoding.object, mapping, uplink.at), codec, warnings: decoding.warnings };
  }
  if (uplink.object !== null)
    return { ...readObject(uplink.object, device.mapping, uplink.at), codec: null, warnings: [] };
  if (!hasPayload(part)) return null;
  return nothingRead('the network server sent no decoded object, and the sensor has no codec', null);
}

function nothingRead(problem: string, codec: string | null): ReadPayload {
  return { readings: [], problems: [problem], object: null, codec, warnings: [] };
}

function readObject(
  object: object,
  mapping: FieldMapping | null,
  at: string,
): Pick<ReadPayload, 'readings' | 'problems' | 'object'> {
  const { values, problems } = mapped(object, mapping, at);
  const readings = mappedReadings(values);
  const isUnmapped = mapping === null && readings.length === 0 && problems.length === 0;
  const said = isUnmapped
    ? ['the sensor has no mapping, and no member is named like one of our values']
    : problems;
  return { readings, problems: said, object };
}

/** A mapping comes from a person: whatever is wrong with it is a reason, not a failure. */
function mapped(object: object, mapping: FieldMapping | null, at: string): MappingResult {
  try {
    return applyMapping(object, mapping, at);
  } catch {
    return { values: {}, problems: ["the sensor's mapping can't be used: save it again"] };
  }
}
