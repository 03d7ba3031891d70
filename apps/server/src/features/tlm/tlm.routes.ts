import { tlmSignup } from '@headrace/contract/tlm';
import type { Mount } from '../../http/mount.ts';
import type { TlmService } from './tlm.service.ts';

export function tlmRoutes(mount: Mount, tlm: TlmService): void {
  mount(tlmSignup, async ({ body, now }) => ({ id: await tlm.signUp(body, now) }));
}
