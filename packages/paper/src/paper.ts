/** A report as data, for whoever draws it: `writePdf` for paper. Sizes are in points. */
export interface Paper {
  readonly title: string;
  readonly farm: string;
  /** What it is of in time, on every page. */
  readonly period: string;
  /** Who made it, when and with what, on every page. */
  readonly foot: string;
  /** Epoch ms; also the file's own date, so that the same data gives the same bytes. */
  readonly madeAt: number;
  readonly parts: readonly Part[];
}

export type Part = Heading | Paragraph | Facts | Listing | Figure | Figures | Table;

export interface Heading {
  readonly kind: 'heading';
  readonly text: string;
}

export interface Paragraph {
  readonly kind: 'text';
  readonly text: string;
}

/** What a report rests on, in two columns. */
export interface Facts {
  readonly kind: 'facts';
  readonly facts: readonly Fact[];
}
export type Fact = readonly [label: string, value: string];

export interface Listing {
  readonly kind: 'list';
  readonly items: readonly string[];
}

export interface Figure {
  readonly kind: 'figure';
  /** The finding, for who doesn't see it. */
  readonly words: string;
  readonly drawing: Drawing;
}

/** Small ones beside each other, as many as have room, read one after the other. */
export interface Figures {
  readonly kind: 'figures';
  readonly figures: readonly Omit<Figure, 'kind'>[];
}

export interface Table {
  readonly kind: 'table';
  /** What its rows are, for who doesn't see them. */
  readonly summary: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
}

export interface Column {
  readonly title: string;
  /** Numbers stand at the right. */
  readonly isNumber?: boolean;
  /** Names its row. */
  readonly isRowHead?: boolean;
  /** Takes as many lines as it needs; others are cut with … and whole in the CSV. */
  readonly isLong?: boolean;
}

export type Cell = string | MarkedCell;
/** Text beside the mark of a condition. */
export interface MarkedCell {
  readonly text: string;
  readonly mark: Mark;
}
export const cellText = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.text);

/** Each has a shape of its own: paper may be gray. */
export type Mark = 'ok' | 'watering' | 'caution' | 'issue' | 'inhibited' | 'spare';

/** Colours by what they are for; their lightness differs as well. */
export type Ink = 'text' | 'dim' | 'rule' | 'pale' | 'middle' | 'deep' | 'warning' | Mark;

/** Vectors alone: a picture of them is sharp at every size, and its text can be searched. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
}

export type Shape = PathShape | TextShape | MarkShape;

export interface PathShape {
  readonly kind: 'path';
  /** As in SVG. */
  readonly d: string;
  readonly fill?: Ink;
  readonly stroke?: Ink;
  readonly width?: number;
  readonly dash?: readonly [number, number];
}

export interface TextShape {
  readonly kind: 'text';
  readonly text: string;
  /** Where it begins, is centred on or ends; `y` is its top. */
  readonly x: number;
  readonly y: number;
  readonly size?: number;
  readonly ink?: Ink;
  readonly isStrong?: boolean;
  readonly at?: 'start' | 'middle' | 'end';
}

export interface MarkShape {
  readonly kind: 'mark';
  readonly mark: Mark;
  /** Its middle. */
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

/** Between the margins of A4 upright. */
export const CONTENT_WIDTH = 511;
