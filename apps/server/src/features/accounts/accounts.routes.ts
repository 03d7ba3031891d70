import type { FastifyRequest } from 'fastify';
import { auth, logout, pageView } from '@headrace/contract/accounts';
import type { Mount } from '../../http/mount.ts';
import type { AccountsService } from './accounts.service.ts';

/** The browser's fingerprint; kept short, since anyone may send anything. */
const deviceUidOf = (request: FastifyRequest) => String(request.headers.deviceuid ?? '').slice(0, 64);

export function accountsRoutes(
  mount: Mount,
  accounts: AccountsService,
  onSignOut: (tokenHash: Buffer) => void,
): void {
  mount(auth, ({ body, request, now }) =>
    accounts.signIn(
      body.email,
      body.password,
      {
        deviceUid: deviceUidOf(request),
        address: request.ip,
        userAgent: (request.headers['user-agent'] ?? '').slice(0, 250),
      },
      now,
    ),
  );
  mount(logout, async ({ caller }) => {
    await accounts.signOut(caller);
    onSignOut(caller.tokenHash);
    return { success: true };
  });
  mount(pageView, async ({ body, request }) => {
    await accounts.addPageView({
      accountId: request.access.caller?.accountId ?? null,
      deviceUid: deviceUidOf(request),
      key: body.key,
    });
    return { success: true };
  });
}
