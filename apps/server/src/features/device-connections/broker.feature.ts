import type { Core, Feature } from '../../feature.ts';
import { brokerRoutes } from './broker.routes.ts';
import { createDeviceSignIn } from './device-sign-in.ts';

/** What an outside broker asks when a device signs in. */
export function createBrokerFeature({ db, now }: Core): Feature {
  const signIn = createDeviceSignIn({ db, now });
  return { routes: (mount) => brokerRoutes(mount, signIn) };
}
