import Type, { type Static } from 'typebox';
import { LinesText, nullable, Time, TypedText, Uid } from './schemas.ts';

/** What lists and forms of all kinds of devices share. */

/** Kept in upper case without what people put between the digits. */
export const MacAddress = Type.String({
  maxLength: 40,
  pattern: '^[0-9A-Fa-f]{2}([ :.-]?[0-9A-Fa-f]{2}){5}(([ :.-]?[0-9A-Fa-f]{2}){2})?$',
  description: '12 or 16 hex digits',
});
export const SerialNumber = TypedText({ minLength: 1, maxLength: 40 });
export const Latitude = Type.Number({ minimum: -90, maximum: 90 });
export const Longitude = Type.Number({ minimum: -180, maximum: 180 });
/** Sprinklers and repeaters; other devices have up to 40 characters. */
export const ShortName = TypedText({ minLength: 1, maxLength: 5 });
export const LongName = TypedText({ minLength: 1, maxLength: 40 });
export const Description = LinesText({ maxLength: 250 });
export const RadioFarmId = Type.String({
  pattern: '^[0-9A-Za-z]{2}:[0-9A-Za-z]{2}$',
  description: 'like 01:01',
});
export const RadioChannel = Type.Unsafe<number>({
  type: 'integer',
  anyOf: [
    { minimum: 1, maximum: 9 },
    { minimum: 16, maximum: 25 },
  ],
  description: '1 to 9 or 16 to 25',
});
/** Counts the changes of a record. Sent back with an edit, it shows when somebody else was quicker: 409 with both. */
export const Version = Type.Integer({ minimum: 1 });
export const Epoch = Type.Number({ description: 'epoch ms; 0 = never' });

/**
 * Nullable members of records in lists of thousands. They serialise ten times as fast as a union, of which each alternative is
 * tried.
 */
export const numberOrNull = (description?: string) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], ...(description && { description }) });
export const textOrNull = (description?: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...(description && { description }) });

/** What every list of devices says of its farm. */
export const farmOfList = {
  uid: Uid,
  name: Type.String(),
  description: Type.String(),
  icon: Type.String(),
  lat: Type.Number(),
  lng: Type.Number(),
  boundary: Type.Array(Type.Object({ lat: Type.Number(), lng: Type.Number() })),
};

/** A place, or none: both numbers or neither. */
export const place = {
  lat: Type.Optional(nullable(Latitude)),
  lng: Type.Optional(nullable(Longitude)),
};

/** Of what was saved with a place that is hardly meant. */
export const placeWarning = {
  warning: Type.Optional(
    Type.String({ description: 'the place is far from the farm, or from its gateway, in a sentence' }),
  ),
};

export const Created = Type.Object({ id: Uid, ...placeWarning });
export type Created = Static<typeof Created>;

/** In the field there is no network everywhere: what was done there is recorded later. */
export const REPLACED_WITHIN_DAYS = 14;
export const ReplacedAt = Type.Optional({
  ...Time,
  description: `when it was done, at most ${REPLACED_WITHIN_DAYS} days ago; now unless said. One that is known to have been done later stays`,
});
