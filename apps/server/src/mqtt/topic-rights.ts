import type { Sender } from './transport.ts';

/**
 * Who may say and hear what. A gateway has its own corner, a network server speaks for its farm's sensors and hears
 * nothing, and no client ever touches the broker's own `$` topics.
 */
export function mayPublish(sender: Sender, topic: string): boolean {
  if (!isPlainTopic(topic)) return false;
  switch (sender.kind) {
    case 'gateway':
      return isGatewayUplink(topic, sender.mac);
    case 'network':
      return isNetworkEvent(topic);
    case 'server':
      return true;
    case 'broker':
      return isUplink(topic);
    default:
      return sender satisfies never;
  }
}

/** `filter` may hold wildcards; they must stay inside the sender's own corner. */
export function maySubscribe(sender: Sender, filter: string): boolean {
  if (filter.length === 0 || filter.startsWith('$')) return false;
  switch (sender.kind) {
    case 'gateway':
      return startsWithMore(filter, `headrace/v1/${sender.mac}/down/`);
    case 'server':
      return true;
    case 'network':
    case 'broker':
      return false;
    default:
      return sender satisfies never;
  }
}

/** Topics on which devices speak to us, whoever carries them. */
export function isUplink(topic: string): boolean {
  const mac = GATEWAY_TOPIC.exec(topic)?.[1];
  return mac === undefined ? isNetworkEvent(topic) : isGatewayUplink(topic, mac);
}

/** Only a gateway's state is worth keeping for those who ask later; any other retained topic would only fill memory. */
export function mayRetain(sender: Sender, topic: string): boolean {
  return sender.kind === 'server' || (sender.kind === 'gateway' && topic === stateTopic(sender.mac));
}

const GATEWAY_TOPIC = /^headrace\/v1\/([0-9A-F]{12}|[0-9A-F]{16})\//;
/** https://www.chirpstack.io/docs/chirpstack/integrations/events.html */
const CHIRPSTACK_EVENT = /^application\/[^/]+\/device\/[^/]+\/event\/[^/]+$/;
/** https://www.thethingsindustries.com/docs/integrations/other-integrations/mqtt/ (what devices caused; not down/push, down/replace) */
const THINGS_STACK_EVENT =
  /^v3\/[^/]+\/devices\/[^/]+\/(up|join|location\/solved|service\/data|down\/(queued|sent|ack|nack|failed))$/;

function isNetworkEvent(topic: string): boolean {
  return CHIRPSTACK_EVENT.test(topic) || THINGS_STACK_EVENT.test(topic);
}

function isGatewayUplink(topic: string, mac: string): boolean {
  return topic === stateTopic(mac) || startsWithMore(topic, `headrace/v1/${mac}/up/`);
}

function stateTopic(mac: string): string {
  return `headrace/v1/${mac}/state`;
}

function isPlainTopic(topic: string): boolean {
  return topic.length > 0 && !topic.startsWith('$') && !/[#+\0]/.test(topic);
}

function startsWithMore(text: string, prefix: string): boolean {
  return text.length > prefix.length && text.startsWith(prefix);
}
