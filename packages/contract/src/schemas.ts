import Type, { type Static } from 'typebox';

/** Public identifiers: 24 hex characters, time-ordered. */
export const Uid = Type.String({ pattern: '^[0-9a-fA-F]{24}$', description: '24 hex characters' });
/** ISO-8601 in UTC. */
export const Time = Type.String({ format: 'date-time' });
export const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const oneOf = <T extends string>(values: readonly T[]) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values] });

export const LatLng = Type.Object({
  lat: Type.Number({ minimum: -90, maximum: 90 }),
  lng: Type.Number({ minimum: -180, maximum: 180 }),
});
export type LatLng = Static<typeof LatLng>;

/** Blanks around it are taken off before its length is judged, and aren't kept. */
export const TRIMMED = 'x-trimmed';
const shown = "text without characters that can't be shown";
/** What people type, bounded alone: rules/ say what is wrong with it, in the form's own sentence. */
export const TypedText = (limits: Type.TStringOptions) => Type.String({ [TRIMMED]: true, ...limits });
/** Text of one line: no control characters, no halves of characters. rules/form-rules says the same of what forms hold. */
export const LineText = (limits: Type.TStringOptions) =>
  TypedText({ pattern: '^[^\\p{Cc}\\p{Cs}]*$', description: shown, ...limits });
/** The same of several lines. */
export const LinesText = (limits: Type.TStringOptions) =>
  TypedText({ pattern: '^(?:[\\t\\r\\n]|[^\\p{Cc}\\p{Cs}])*$', description: shown, ...limits });

/** DD-MM-YYYY as the specification gives it; YYYY-MM-DD and full ISO times are read too. */
export const DayText = Type.String({
  pattern: '^(\\d{2}-\\d{2}-\\d{4}|\\d{4}-\\d{2}-\\d{2}(T.*)?)$',
  description: 'DD-MM-YYYY',
});
/** How many days of history, ending with `stopAt` (today when absent). */
export const Days = Type.Integer({ minimum: 1, maximum: 3660 });
export const Success = Type.Object({ success: Type.Boolean() });
