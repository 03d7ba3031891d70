import type { FastifyRequest } from 'fastify';
import {
  addPasskey,
  answerSecondStep,
  beginAuthenticator,
  beginPasskey,
  beginPasskeySignIn,
  confirmAuthenticator,
  getSecondStep,
  passkeySignIn,
  removeAuthenticator,
  removePasskey,
  renamePasskey,
  renewRecoveryCodes,
} from '@headrace/contract/second-step';
import { putSharersSecondStep } from '@headrace/contract/sharing';
import type { Mount } from '../../../http/mount.ts';
import { logRefused } from '../../../http/refused-log.ts';
import type { Accounts } from '../accounts.ts';
import { fromOf } from '../sign-in-from.ts';

const done = { success: true };
const noted = <T extends { success: boolean }>({ log, ip }: FastifyRequest, reply: T): T => {
  if (!reply.success) logRefused(log, 'web', ip);
  return reply;
};

export function secondStepRoutes(mount: Mount, accounts: Accounts): void {
  const { secondStep, setUp, passkeys } = accounts;
  mount(answerSecondStep, async ({ body, request, now }) =>
    noted(request, await secondStep.answer(body, fromOf(request), now)),
  );
  mount(beginPasskeySignIn, async ({ now }) => ({ options: await passkeys.beginSignIn(now) }));
  mount(passkeySignIn, async ({ body, request, now }) =>
    noted(request, await passkeys.signIn(body.answer, fromOf(request), now)),
  );

  mount(getSecondStep, ({ caller }) => setUp.state(caller));
  mount(beginAuthenticator, ({ body, caller, request, now }) =>
    setUp.begin(caller, body, fromOf(request), now),
  );
  mount(confirmAuthenticator, async ({ body, caller, now }) => ({
    recoveryCodes: await setUp.confirm(caller, body.code, now),
  }));
  mount(removeAuthenticator, async ({ body, caller, request, now }) => {
    await setUp.removeApp(caller, body, fromOf(request), now);
    return done;
  });
  mount(renewRecoveryCodes, async ({ body, caller, request, now }) => ({
    recoveryCodes: await setUp.newCodes(caller, body, fromOf(request), now),
  }));
  mount(beginPasskey, async ({ body, caller, request, now }) => ({
    options: await passkeys.begin(caller, body, fromOf(request), now),
  }));
  mount(addPasskey, async ({ body, caller, request, now }) => {
    const recoveryCodes = await passkeys.add(caller, body.made, fromOf(request), now);
    return { success: recoveryCodes !== null, recoveryCodes: recoveryCodes ?? [] };
  });
  mount(renamePasskey, async ({ body, caller, request, now }) => {
    return { success: await setUp.renamePasskey(caller, body, fromOf(request), now) };
  });
  mount(removePasskey, async ({ body, caller, request, now }) => {
    return { success: await setUp.removePasskey(caller, body, fromOf(request), now) };
  });
  mount(
    putSharersSecondStep,
    async ({ body: { required, password = '', ...step }, caller, request, now }) => {
      // A thief at an open browser would open the owner's farms to passwords alone. Asking for more takes nothing away.
      if (!required) await accounts.proveOwn(caller, { ...step, password }, fromOf(request), now);
      return accounts.requireSecondStep(caller, required, now);
    },
  );
}
