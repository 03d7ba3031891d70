import { useState } from 'react';
import type { LoginReply } from '@headrace/contract/accounts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { toast } from '../../ui/toasts.ts';
import { canUsePasskeys, signInWithPasskey } from './passkeys.ts';

/** Signs in by itself, without the password or after it. */
export function PasskeyButton({ onSignedIn }: { onSignedIn: (reply: LoginReply) => void }) {
  const [isBusy, setIsBusy] = useState(false);
  if (!canUsePasskeys()) return null;
  const press = async () => {
    setIsBusy(true);
    const reply = await signInWithPasskey();
    setIsBusy(false);
    if (typeof reply === 'string') toast.error(reply);
    else onSignedIn(reply);
  };
  return (
    <PlainButton onClick={() => void press()} disabled={isBusy}>
      Use a passkey
    </PlainButton>
  );
}
