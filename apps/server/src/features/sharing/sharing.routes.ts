import {
  acceptInvite,
  accessLog,
  deleteShare,
  getInvite,
  getSharersSecondStep,
  getSharePermissions,
  listContacts,
  listInvites,
  rejectInvite,
  resendInvite,
  revokeInvite,
  share,
  updateSharePermissions,
} from '@headrace/contract/sharing';
import type { Mount } from '../../http/mount.ts';
import { readAccessLog } from '../access/access-log.ts';
import type { AccessService } from '../access/access.service.ts';
import { createAnswerService } from './answer.service.ts';
import { createInviteService } from './invite.service.ts';
import { createSharesService } from './shares.service.ts';
import type { SharersSecondStepService } from './sharers-second-step.service.ts';
import type { SharingContext } from './sharing-context.ts';

const LOG_PAGE = 50;
const done = { success: true };

export function sharingRoutes(
  mount: Mount,
  context: SharingContext,
  { access, secondStep }: { access: AccessService; secondStep: SharersSecondStepService },
): void {
  const shares = createSharesService(context, access);
  const invites = createInviteService(context);
  const answers = createAnswerService(context, secondStep);

  mount(listInvites, ({ caller }) => shares.list(caller));
  mount(getSharersSecondStep, ({ caller, now }) => secondStep.state(caller, now));
  mount(listContacts, ({ caller, now }) => shares.contacts(caller, now));
  mount(share, ({ body, caller, now }) => invites.share(body, caller, now));
  mount(resendInvite, async ({ body, caller, now }) => {
    await invites.resend(body.key, caller, now);
    return done;
  });

  mount(getInvite, ({ query, caller, now }) => answers.info(query.key, caller, now));
  mount(acceptInvite, ({ body, caller, now }) => answers.accept(body.key, caller, now));
  mount(rejectInvite, async ({ body, caller, now }) => {
    await answers.reject(body.key, caller, now);
    return done;
  });

  mount(getSharePermissions, ({ query, caller, now }) => shares.rights(query.key, caller, now));
  mount(updateSharePermissions, ({ body, caller, now }) => shares.change(body, caller, now));
  mount(revokeInvite, async ({ body, caller, now }) => {
    await shares.revoke(body.key, caller, now);
    return done;
  });
  mount(deleteShare, async ({ query, caller, now }) => {
    await shares.revoke(query.key, caller, now);
    return done;
  });

  mount(accessLog, ({ query, caller }) =>
    readAccessLog(context.db, caller.accountId, { before: query.before, limit: query.limit ?? LOG_PAGE }),
  );
}
