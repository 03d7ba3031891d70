import { brokerAuthenticate } from '@headrace/contract/broker';
import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import type { Mount } from '../../http/mount.ts';
import { logRefused } from '../../http/refused-log.ts';
import type { Sender } from '../../mqtt/transport.ts';
import type { Authenticate } from '../../mqtt/sign-in.ts';
import { createGuesses, type Guesses } from './guesses.ts';

type Answer = ReplyOf<typeof brokerAuthenticate>;

/** Under these the servers themselves sign in; a device that took one would push a server out. */
const SERVER_CLIENT_ID = /^headrace-/i;

/** For brokers that ask us who may sign in, as EMQX can. A failure here answers 5xx, which such brokers take for no. */
export function brokerRoutes(mount: Mount, authenticate: Authenticate): void {
  const guesses = createGuesses();
  mount(brokerAuthenticate, async ({ body, request, now }): Promise<Answer> => {
    const sender = SERVER_CLIENT_ID.test(body.clientid)
      ? null
      : await senderOf(body, authenticate, guesses, now);
    if (sender === null) {
      // Where the broker doesn't say from where, the line would shut out the broker.
      if (body.peerhost) logRefused(request.log, 'mqtt', body.peerhost);
      return { result: 'deny', is_superuser: false };
    }
    return { result: 'allow', is_superuser: false, ...aclOf(sender) };
  });
}

async function senderOf(
  { username, password, peerhost }: BodyOf<typeof brokerAuthenticate>,
  authenticate: Authenticate,
  guesses: Guesses,
  now: Date,
): Promise<Sender | null> {
  const guess = { username, address: peerhost || null };
  if (guesses.areTooMany(guess, now)) return null;
  const sender = await authenticate(username, password, peerhost ?? '');
  if (sender === null) guesses.wrong(guess, now);
  return sender;
}

/**
 * A gateway has its own corner. Whose sensors a network server may speak for only its operator knows, by application: the
 * broker's own rules say that, since an outside broker doesn't tell us who sent a message.
 */
function aclOf(sender: Sender): Pick<Answer, 'acl'> {
  if (sender.kind !== 'gateway') return {};
  const corner = `headrace/v1/${sender.mac}`;
  return {
    acl: [
      { permission: 'allow', action: 'publish', topic: `${corner}/up/#` },
      { permission: 'allow', action: 'publish', topic: `${corner}/state` },
      { permission: 'allow', action: 'subscribe', topic: `${corner}/down/#` },
      { permission: 'deny', action: 'all', topic: '#' },
    ],
  };
}
