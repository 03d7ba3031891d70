import type { FastifyRequest } from 'fastify';
import { auth, authPasswordless, logout } from '@headrace/contract/accounts';
import {
  changePassword,
  closeAccount,
  downloadAccount,
  endDevice,
  endOtherSessions,
  endSession,
  getAccountDetails,
  keepAccount,
  listSessions,
  renewSession,
  undoEmail,
  updateAccountDetails,
  withdrawNewEmail,
} from '@headrace/contract/account-details';
import {
  confirmEmail,
  forgotPassword,
  isRegistered,
  registerAgent,
  registerOwner,
  resendConfirmation,
  resetPassword,
} from '@headrace/contract/registration';
import { TextFailure } from '../../http/errors.ts';
import type { Mount } from '../../http/mount.ts';
import { logRefused } from '../../http/refused-log.ts';
import { accountData } from './account-data.ts';
import type { Accounts } from './accounts.ts';
import { toOwnAccount } from './details.service.ts';
import { secondStepRoutes } from './second-step/second-step.routes.ts';
import { fromOf } from './sign-in-from.ts';

const done = { success: true };

export function accountsRoutes(mount: Mount, accounts: Accounts): void {
  signInRoutes(mount, accounts);
  secondStepRoutes(mount, accounts);
  registrationRoutes(mount, accounts);
  passwordRoutes(mount, accounts);
  ownAccountRoutes(mount, accounts);
}

function signInRoutes(mount: Mount, { signIn, proveOwn, sessions }: Accounts): void {
  const refused = ({ log, ip }: FastifyRequest) => logRefused(log, 'web', ip);
  mount(auth, ({ body, request, now }) =>
    signIn
      .withPassword(body, fromOf(request), now, () => refused(request))
      .catch((error: unknown) => {
        if (error instanceof TextFailure) refused(request);
        throw error;
      }),
  );
  mount(authPasswordless, async ({ body, request, now }) => {
    const reply = await signIn.withKey(body, fromOf(request), now);
    if (!reply.success) refused(request);
    return reply;
  });
  mount(logout, async ({ caller }) => {
    await sessions.signOut(caller);
    return done;
  });
  mount(listSessions, async ({ caller, now }) => ({ sessions: await sessions.list(caller, now) }));
  mount(endSession, async ({ query, caller }) => ({ success: await sessions.end(caller, query.id) }));
  mount(endDevice, async ({ query, caller }) => ({ success: await sessions.endDevice(caller, query.id) }));
  mount(renewSession, async ({ body, caller, request, now }) => {
    await proveOwn(caller, body, fromOf(request), now);
    return sessions.renew(caller, now);
  });
  mount(endOtherSessions, async ({ caller }) => {
    await sessions.endOthers(caller);
    return done;
  });
}

function registrationRoutes(mount: Mount, { registration }: Accounts): void {
  mount(registerOwner, ({ body, now }) => registration.owner(body, now));
  mount(registerAgent, async ({ body, now }) => {
    await registration.agent(body, now);
    return done;
  });
  mount(isRegistered, async ({ query, now }) => ({
    registered: await registration.isRegistered(query.email, now),
  }));
  mount(confirmEmail, async ({ body, now }) => ({ success: await registration.confirm(body.key, now) }));
  mount(resendConfirmation, async ({ caller, now }) => {
    await registration.resend(caller, now);
    return done;
  });
}

function passwordRoutes(mount: Mount, { passwords, background }: Accounts): void {
  mount(forgotPassword, async ({ body, now }) => {
    background.run('a mail for a new password', () => passwords.forgot(body.email, now));
    return done;
  });
  mount(resetPassword, async ({ body, now }) => {
    await passwords.reset(body, now);
    return done;
  });
  mount(changePassword, async ({ body, caller, request, now }) => ({
    success: true,
    token: await passwords.change(body, caller, fromOf(request), now),
  }));
}

function ownAccountRoutes(mount: Mount, { db, accounts, details, newAddress, closing }: Accounts): void {
  mount(getAccountDetails, ({ caller }) => details.own(caller));
  mount(updateAccountDetails, ({ body, caller, request, now }) =>
    details.change(body, caller, fromOf(request), now),
  );
  mount(withdrawNewEmail, async ({ caller, now }) => toOwnAccount(await newAddress.withdraw(caller, now)));
  mount(undoEmail, ({ body, now }) => newAddress.undo(body.key, now));
  mount(downloadAccount, async ({ caller, now }) => {
    const account = await accounts.byId(caller.accountId);
    return { fileName: 'headrace-account.json', content: () => accountData(db, account, now) };
  });
  mount(closeAccount, ({ body, caller, request, now }) => closing.close(body, caller, fromOf(request), now));
  mount(keepAccount, ({ caller, now }) => closing.keep(caller, now));
}
