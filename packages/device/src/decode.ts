import type { Static, TArray, TObject, TSchema } from 'typebox';
import { Type } from 'typebox';
import { checker, type Checked } from './check.ts';
import { parseJson } from './json.ts';
import * as messages from './messages.ts';
import { type GatewayMessageKind, isMac } from './topics.ts';

export type GatewayMessage =
  | { readonly kind: 'state'; readonly body: messages.StateMessage }
  | { readonly kind: 'hello'; readonly body: messages.HelloMessage }
  | { readonly kind: 'status'; readonly body: messages.StatusMessage }
  | { readonly kind: 'io'; readonly body: messages.IoMessage }
  | { readonly kind: 'ack'; readonly body: messages.AckMessage }
  | { readonly kind: 'ipc'; readonly items: messages.IpcItem[] }
  | { readonly kind: 'repeater'; readonly items: messages.RepeaterItem[] }
  | { readonly kind: 'sensor'; readonly items: messages.SensorItem[] };

/** An item that could not be read, beside its good neighbours; `mac` where it names a device all the same. */
export type ItemProblem = { readonly index: number; readonly reason: string; readonly mac: string | null };

export type Decoded =
  | { readonly ok: true; readonly message: GatewayMessage; readonly problems: readonly ItemProblem[] }
  | { readonly ok: false; readonly reason: string };

// Compiled once: a validator costs milliseconds to build and less than a microsecond to run.
const state = checker(messages.StateMessage);
const hello = checker(messages.HelloMessage);
const status = checker(messages.StatusMessage);
const io = checker(messages.IoMessage);
const ack = checker(messages.AckMessage);
const envelope = checker(Type.Object({ items: Type.Array(Type.Unknown()) }));
const ipcItem = itemChecker(messages.IpcMessage);
const repeaterItem = itemChecker(messages.RepeaterMessage);
const sensorItem = itemChecker(messages.SensorMessage);

/**
 * What a gateway said on one of its topics. Never throws: a message that can't be read comes back with the reason, naming the member.
 * Of a list the good items come back, and one problem for each bad one.
 */
export function decodeGatewayMessage(kind: GatewayMessageKind, payload: Uint8Array): Decoded {
  const parsed = parseJson(payload);
  if (!parsed.ok) return parsed;
  switch (kind) {
    case 'state':
      return one(state(parsed.value), (body) => ({ kind, body }));
    case 'hello':
      return one(hello(parsed.value), (body) => ({ kind, body }));
    case 'status':
      return one(status(parsed.value), (body) => ({ kind, body }));
    case 'io':
      return one(io(parsed.value), (body) => ({ kind, body }));
    case 'ack':
      return one(ack(parsed.value), (body) => ({ kind, body }));
    case 'ipc':
      return many(parsed.value, ipcItem, (items) => ({ kind, items }));
    case 'repeater':
      return many(parsed.value, repeaterItem, (items) => ({ kind, items }));
    case 'sensor':
      return many(parsed.value, sensorItem, (items) => ({ kind, items }));
    default:
      return { ok: false, reason: `no such message: ${String(kind satisfies never)}` };
  }
}

function one<T>(checked: Checked<T>, build: (body: T) => GatewayMessage): Decoded {
  return checked.ok ? { ok: true, message: build(checked.value), problems: [] } : checked;
}

function many<T>(
  value: unknown,
  check: (item: unknown, index: number) => Checked<T>,
  build: (items: T[]) => GatewayMessage,
): Decoded {
  const list = envelope(value);
  if (!list.ok) return list;
  const items: T[] = [];
  const problems: ItemProblem[] = [];
  for (const [index, item] of list.value.items.entries()) {
    const checked = check(item, index);
    if (checked.ok) items.push(checked.value);
    else problems.push({ index, reason: checked.reason, mac: macOf(item) });
  }
  return { ok: true, message: build(items), problems };
}

function macOf(item: unknown): string | null {
  const mac = typeof item === 'object' && item !== null && 'mac' in item ? item.mac : null;
  return typeof mac === 'string' && isMac(mac) ? mac : null;
}

function itemChecker<Item extends TSchema>(list: TObject<{ items: TArray<Item> }>) {
  const check = checker(list.properties.items.items);
  return (item: unknown, index: number): Checked<Static<Item>> => check(item, `items/${index}`);
}
