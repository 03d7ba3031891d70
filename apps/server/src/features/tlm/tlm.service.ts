import { validateTlm } from '@headrace/contract/rules/tlm-form';
import type { TlmSignup } from '@headrace/contract/tlm';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import { invalid, tooMany, tryAgain } from '../../http/errors.ts';
import { roomAgain } from '../../room-again.ts';
import type { Messages } from '../messages/messages.ts';
import type { Lead, TlmRepo } from './tlm.repo.ts';

const DAY_MS = 86_400_000;
/** From one e-mail address in a day: more is no interest but a machine. */
const LEADS_A_DAY = 5;

/** Who asks for tank telemetry is kept, and the staff are told. */
export function createTlmService(db: Db, leads: TlmRepo, messages: Pick<Messages, 'mail'>) {
  return {
    async signUp(form: TlmSignup, now: Date): Promise<string> {
      for (const [field, sentence] of Object.entries(validateTlm(form))) throw invalid(sentence, field);
      const lead = { uid: newUid(now), ...leadOf(form) };
      refuseOften(await leads.since(lead.email, new Date(now.getTime() - DAY_MS)), now);
      const staff = await leads.staff();
      await db.transaction().execute(async (trx) => {
        await leads.add(lead, now, trx);
        for (const { name, email: to } of staff)
          await messages.mail({ to, name, ...mailOf(lead), isMinor: true }, now, trx);
      });
      return lead.uid;
    },
  };
}
export type TlmService = ReturnType<typeof createTlmService>;

function refuseOften(asked: readonly Date[], now: Date): void {
  if (asked.length < LEADS_A_DAY) return;
  const uses = asked.map((at) => ({ at, count: 1 }));
  const restMs = roomAgain(uses, LEADS_A_DAY, 1, now).getTime() - now.getTime();
  throw tooMany(`This address has asked several times today. We will answer. ${tryAgain(restMs)}`, restMs);
}

function leadOf(form: TlmSignup): Omit<Lead, 'uid'> {
  return {
    name: form.name.trim(),
    email: form.email.trim().toLowerCase(),
    countryCode: Number(form.countryCode),
    mobile: form.mobile.trim(),
    farmName: form.farmName.trim(),
    tanks: form.tanks,
    notes: form.notes?.trim() ?? '',
  };
}

function mailOf({ name, email, countryCode, mobile, farmName, tanks, notes }: Lead) {
  return {
    subject: `Tank telemetry: ${farmName}`,
    paragraphs: [
      `${name} asks for tank telemetry for ${farmName}: ${tanks === 1 ? '1 tank' : `${tanks} tanks`}.`,
      `E-mail ${email}, mobile +${countryCode} ${mobile}.`,
      ...(notes ? [`Notes: ${notes}`] : []),
    ],
    footnote: 'You get this because your account is of the support staff.',
  };
}
