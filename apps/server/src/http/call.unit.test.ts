import { expectTypeOf, it } from 'vitest';
import { auth, type pageView } from '@headrace/contract/accounts';
import { brokerAuthenticate } from '@headrace/contract/broker';
import { type getSensor, sensorList } from '@headrace/contract/sensors';
import { getSettings } from '@headrace/contract/settings';
import type { DeviceRow } from '../db/schema.ts';
import type { Caller, FarmAccess } from './access-gate.ts';
import type { Call, Mount } from './mount.ts';

/** Checked by the compiler alone: `npm run typecheck` fails where a line that must not compile does. */
const mount: Mount = () => undefined;

it('a handler is given what its endpoint declares', () => {
  expectTypeOf<Call<typeof getSensor>['device']>().toEqualTypeOf<DeviceRow>();
  expectTypeOf<Call<typeof sensorList>['farm']>().toEqualTypeOf<FarmAccess>();
  expectTypeOf<Call<typeof getSettings>['caller']>().toEqualTypeOf<Caller>();
  expectTypeOf<Call<typeof pageView>['caller']>().toEqualTypeOf<Caller | null>();
});

it("a handler can't read what its endpoint does not declare", () => {
  // @ts-expect-error a call about a farm has no device
  mount(sensorList, async ({ device }) => ({ deviceId: device.id }));
  // @ts-expect-error a call about nobody's farm has none
  mount(getSettings, async ({ farm }) => farm);
  // @ts-expect-error the operator is no account
  mount(brokerAuthenticate, async ({ caller }) => caller);
  // @ts-expect-error who signs in may be nobody yet
  mount(auth, async ({ caller }) => caller.uid);
});
