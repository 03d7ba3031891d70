import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { TypedText, Uid } from './schemas.ts';
import { needs } from './permissions.ts';

/** What is typed may be wrong in any way: rules/tlm-form says so by field. */
const typed = TypedText({ maxLength: 300 });

export const TlmSignup = Type.Object({
  name: typed,
  email: typed,
  countryCode: Type.Union([Type.Integer({ minimum: 0, maximum: 999 }), TypedText({ maxLength: 4 })]),
  mobile: typed,
  farmName: typed,
  tanks: Type.Integer({ minimum: 1, maximum: 1000 }),
  notes: Type.Optional(TypedText({ maxLength: 2000 })),
});
export type TlmSignup = Static<typeof TlmSignup>;

export const tlmSignup = defineEndpoint({
  key: 'POST /tlm/signup',
  tag: 'Tanks',
  summary: 'Ask for tank telemetry: kept, and the staff are told',
  needs: needs.nothing,
  perMinute: 20,
  body: TlmSignup,
  reply: Type.Object({ id: Uid }),
});
