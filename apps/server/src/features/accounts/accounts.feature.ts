import type { Core, Feature } from '../../feature.ts';
import { EACH_HOUR } from '../../jobs/rhythm.ts';
import { accountsRoutes } from './accounts.routes.ts';
import { type AccountsParts, createAccounts } from './accounts.ts';
import { tellOfEnds } from './ends-of-sessions.ts';
import { forgetExpired } from './forget-expired.ts';
import { createSessions, type Sessions } from './sessions.ts';

/** Sessions whose live connections go with them. */
export const createLiveSessions = ({ db, live, log }: Core): Sessions =>
  createSessions(db, {
    opened: (signedIn) => log.info(signedIn, 'signed in'),
    ended: (tokenHash) => live.endSession(tokenHash),
    rotated: (tokenHash) => live.renewSession(tokenHash),
  });

export interface AccountsNeeds extends Pick<AccountsParts, 'sessions' | 'messages' | 'refuseDemoAccounts'> {
  readonly access: Pick<AccountsParts, 'onAccessChanged'>;
  readonly sharing: {
    readonly secondStepEnded: AccountsParts['onSecondStepEnded'];
    readonly requireSecondStep: AccountsParts['requireSecondStep'];
  };
  /** What the operator lets people do. */
  readonly settings: { operatorSettings(): Promise<{ readonly newAccountCreation: boolean }> };
  readonly farms: { readonly edit: { remove: AccountsParts['removeFarm'] } };
  /** New accounts wait for the operator's approval. */
  readonly requireApproval?: boolean;
  readonly secretKey?: string | null;
}

/** Signing in, registering, and what people do with their accounts. */
export function createAccountsFeature(
  { db, log, now, ofJobs, publicUrl }: Core,
  { access, sharing, settings, farms, requireApproval = false, secretKey = null, ...needs }: AccountsNeeds,
): Feature {
  const accounts = createAccounts({
    ...needs,
    db,
    log,
    requireApproval,
    publicUrl,
    secretKey,
    mayRegister: async () => (await settings.operatorSettings()).newAccountCreation,
    removeFarm: (farmId, by) => farms.edit.remove(farmId, by),
    onAccessChanged: access.onAccessChanged,
    onSecondStepEnded: sharing.secondStepEnded,
    requireSecondStep: sharing.requireSecondStep,
  });
  return {
    routes: (mount) => accountsRoutes(mount, accounts),
    liveSources: { callerOf: needs.sessions.callerOf },
    jobs: [
      {
        name: 'expired',
        everyMs: EACH_HOUR,
        run: async () => {
          await tellOfEnds(ofJobs.db, needs.messages, now());
          await forgetExpired(ofJobs.db, now());
        },
      },
      { name: 'closed accounts', everyMs: EACH_HOUR, run: () => accounts.closing.closeDue(now()) },
    ],
    settle: () => accounts.background.settled(),
  };
}
