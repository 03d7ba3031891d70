import { Type, type Static } from 'typebox';

/**
 * A farm that is in Headrace already, as the simulator is told of it: its devices by the records, and the keys that were
 * shown when its gateways were added. Members that aren't named are ignored.
 */
const Mac = Type.String({
  pattern: '^(?!0+$|F+$)(?:[0-9A-F]{12}|[0-9A-F]{16})$',
  description: '12 or 16 upper-case hex digits',
});
const Name = Type.String({ minLength: 1, maxLength: 100 });
const device = { name: Name, serialNumber: Name, mac: Mac };
const Length = Type.Number({ minimum: 0, maximum: 100_000 });

export const SiteFile = Type.Object({
  name: Name,
  timeZone: Type.String({ minLength: 1, maxLength: 60, description: 'IANA' }),
  location: Type.Object({
    lat: Type.Number({ minimum: -90, maximum: 90 }),
    lng: Type.Number({ minimum: -180, maximum: 180 }),
  }),
  gateways: Type.Array(
    Type.Object({
      ...device,
      type: Type.Union([
        Type.Literal(0),
        Type.Literal(1),
        Type.Literal(100),
        Type.Literal(101),
        Type.Literal(102),
      ]),
      key: Type.String({ minLength: 8, maxLength: 200, description: 'its device key' }),
    }),
    { minItems: 1, maxItems: 20 },
  ),
  /** All units and sensors are heard by the first gateway. */
  sprinklers: Type.Optional(Type.Array(Type.Object(device), { maxItems: 5000 })),
  repeaters: Type.Optional(Type.Array(Type.Object(device), { maxItems: 500 })),
  tanks: Type.Optional(
    Type.Array(
      Type.Object({
        ...device,
        type: Type.Union([Type.Literal(0), Type.Literal(6), Type.Literal(100)]),
        /** mm, mm, mm, L, as on the sensor's record. */
        settings: Type.Object({
          offset: Type.Optional(Length),
          height: Type.Optional(Length),
          toplevel: Length,
          volume: Type.Number({ exclusiveMinimum: 0, maximum: 1e9 }),
        }),
        reportEverySeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400 })),
      }),
      { maxItems: 500 },
    ),
  ),
});
export type SiteFile = Static<typeof SiteFile>;
