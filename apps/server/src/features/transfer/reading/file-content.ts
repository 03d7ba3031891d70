import type { ImportType } from '@headrace/contract/imports';
import type { FileUnit } from '@headrace/contract/rules/files/file-units';
import type { FileFarm, FileGroup } from '@headrace/contract/rules/files/read-project';
import type { FileSet } from '@headrace/contract/rules/files/read-schedules';
import type { LatLng } from '@headrace/contract/schemas';

/** A point of a map file: the place of what is named there. */
export interface FilePoint extends LatLng {
  /** Of the file, from 1. */
  readonly line: number;
  readonly name: string;
  readonly serial: string;
  /** What of its line says where it is: "coordinates". */
  readonly at: string;
  /** What the file says that it is, such as "gateway"; else ''. */
  readonly kind: string;
  /** Folders that it is in, outermost first. */
  readonly path: readonly string[];
}

/** A polygon of a map file, without its holes. */
export interface FileArea {
  readonly line: number;
  readonly name: string;
  /** As of a point: "boundary" is that of a farm. */
  readonly kind: string;
  readonly ring: readonly LatLng[];
  readonly holes: number;
}

/** What of a file can't be taken at all. */
export interface FileRefusal {
  readonly line: number;
  readonly name: string;
  /** A sentence. */
  readonly why: string;
}

export interface FileContent {
  readonly units: readonly FileUnit[];
  readonly points: readonly FilePoint[];
  readonly areas: readonly FileArea[];
  readonly refused: readonly FileRefusal[];
  readonly sets: readonly FileSet[];
  /** That the file names by themselves, besides those of its units. */
  readonly groups: readonly FileGroup[];
  /** What it says of the farm itself: one at most. */
  readonly farms: readonly FileFarm[];
  /** What was passed over, or understood in a way that the person should know. */
  readonly notes: readonly string[];
}

export interface ReadJob {
  /** What it was said to be. */
  readonly typeFile: ImportType;
  /** Text, or a data URL with base64. */
  readonly data: string;
  /** Tells zones of projected coordinates apart. */
  readonly farm: LatLng;
}

export type ReadOutcome =
  | { readonly kind: 'content'; readonly content: FileContent }
  | {
      readonly kind: 'fault';
      /** A sentence: why the file can't be read. */
      readonly fault: string;
      /** By which type it can be read, where another one was chosen. */
      readonly suggested?: ImportType | undefined;
    };
