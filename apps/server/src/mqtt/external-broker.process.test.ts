import { createServer, type Server, type Socket } from 'node:net';
import mqttPacket, { type Packet } from 'mqtt-packet';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createExternalBroker, type ExternalBrokerOptions } from './external-broker.ts';
import {
  encode,
  eventually,
  Inbox,
  KEY,
  MAC,
  OTHER_MAC,
  openBroker,
  pause,
  publishPacket,
  signIn,
  startTransport,
  up,
} from './testing/transport-kit.ts';

const FILTERS = ['headrace/v1/+/up/#', 'headrace/v1/+/state'];

function slowInbox(): Inbox {
  const inbox = new Inbox();
  inbox.isAutomatic = false;
  return inbox;
}

function createTransport(port: number, inbox: Inbox, options: Partial<ExternalBrokerOptions> = {}) {
  return createExternalBroker({
    url: `mqtt://server:${KEY}@127.0.0.1:${port}`,
    clientId: 'headrace-1',
    filters: FILTERS,
    onOversize: inbox.takeOversize,
    reconnectMs: { min: 20, max: 100 },
    stopWithinMs: 200,
    ...options,
  });
}

async function openTransport(port: number, inbox: Inbox, options: Partial<ExternalBrokerOptions> = {}) {
  const transport = createTransport(port, inbox, options);
  await startTransport(transport, inbox);
  await eventually(() => transport.status().connected);
  return transport;
}

/** A broker that says exactly what a test wants, to see what the transport does on the wire. */
class ScriptedBroker {
  readonly received: Packet[] = [];
  sockets: Socket[] = [];
  #server: Server | undefined;
  answers: (packet: Packet, socket: Socket) => void = agreeable;

  async listen(): Promise<number> {
    const server = createServer((socket) => {
      this.sockets.push(socket);
      const parser = mqttPacket.parser();
      parser.on('packet', (packet) => {
        this.received.push(packet);
        this.answers(packet, socket);
      });
      socket.on('data', (chunk) => parser.parse(chunk));
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#server = server;
    onTestFinished(() => {
      server.close();
      for (const socket of this.sockets) socket.destroy();
    });
    return (this.#server.address() as { port: number }).port;
  }

  get last(): Socket {
    const socket = this.sockets.at(-1);
    if (socket === undefined) throw new Error('nobody connected');
    return socket;
  }

  idsOf(cmd: 'puback'): (number | undefined)[] {
    return this.received.filter((packet) => packet.cmd === cmd).map(({ messageId }) => messageId);
  }

  count(cmd: Packet['cmd']): number {
    return this.received.filter((packet) => packet.cmd === cmd).length;
  }
}

function agreeable(packet: Packet, socket: Socket): void {
  const { messageId = 0 } = packet;
  if (packet.cmd === 'connect') socket.write(encode({ cmd: 'connack', returnCode: 0, sessionPresent: true }));
  if (packet.cmd === 'subscribe')
    socket.write(encode({ cmd: 'suback', messageId, granted: packet.subscriptions.map(() => 1) }));
  if (packet.cmd === 'publish') socket.write(encode({ cmd: 'puback', messageId }));
  if (packet.cmd === 'pingreq') socket.write(encode({ cmd: 'pingresp' }));
}

async function openScripted(options: Partial<ExternalBrokerOptions> = {}, inbox = new Inbox()) {
  const broker = new ScriptedBroker();
  const transport = await openTransport(await broker.listen(), inbox, options);
  return { broker, transport, inbox };
}

describe('the transport to an external broker', () => {
  it('asks for a session that is kept, and subscribes with QoS 1', async () => {
    const { broker } = await openScripted({ filters: ['headrace/v1/+/up/#'] });
    expect(broker.received[0]).toMatchObject({
      cmd: 'connect',
      clean: false,
      clientId: 'headrace-1',
      username: 'server',
      protocolVersion: 4,
    });
    expect(broker.received.slice(1)).toMatchObject([
      { cmd: 'subscribe', subscriptions: [{ topic: 'headrace/v1/+/up/#', qos: 1 }] },
    ]);
  });

  it('acknowledges each message when it is stored, with many under way', async () => {
    const { broker, transport, inbox } = await openScripted({}, slowInbox());
    const packets = Array.from({ length: 500 }, (_, index) =>
      publishPacket(up('sensor'), String(index), index + 1),
    );
    broker.last.write(Buffer.concat(packets));
    const messages = await inbox.count(500);
    expect([broker.count('puback'), transport.status().held]).toEqual([0, 500]);
    for (const { ack } of messages.slice(10, 20)) ack();
    for (const { ack } of messages.slice(10, 20)) ack();
    await eventually(() => broker.count('puback') === 10);
    expect(broker.idsOf('puback')).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
    expect(messages[0]).toMatchObject({ sender: { kind: 'broker' }, retained: false });
  });

  it('sends no acknowledgement on a connection its message did not come on', async () => {
    const { broker, transport, inbox } = await openScripted({}, slowInbox());
    broker.last.write(publishPacket(up('sensor'), 'old', 5));
    const [old] = await inbox.count(1);
    broker.last.destroy();
    await eventually(() => broker.sockets.length === 2 && transport.status().connected);
    broker.last.write(publishPacket(up('sensor'), 'unrelated, same id', 5));
    await inbox.count(2);
    old?.ack();
    await pause(50);
    expect([broker.count('puback'), transport.status().held]).toEqual([0, 1]);
  });

  it('needs no acknowledgement for QoS 0, and tells retained messages from new ones', async () => {
    const { broker, inbox } = await openScripted();
    broker.last.write(
      encode({ cmd: 'publish', topic: up('io'), payload: 'x', qos: 0, retain: false, dup: false }),
    );
    broker.last.write(
      encode({
        cmd: 'publish',
        topic: `headrace/v1/${MAC}/state`,
        payload: 'y',
        qos: 1,
        retain: true,
        dup: false,
        messageId: 1,
      }),
    );
    await eventually(() => broker.count('puback') === 1);
    expect(inbox.messages.map(({ retained }) => retained)).toEqual([false, true]);
  });

  it('stops reading while too much is held, goes on after, and stays alive meanwhile', async () => {
    const maxHeld = { messages: 50, bytes: 1_000_000 };
    const { broker, transport, inbox } = await openScripted({ maxHeld, keepaliveS: 1 }, slowInbox());
    const payload = Buffer.alloc(10_000);
    for (let id = 1; id <= 2_000; id++) broker.last.write(publishPacket(up('sensor'), payload, id));
    await pause(2_200);
    // One read of the socket (64 KiB) may come on top.
    expect(inbox.messages.length).toBeLessThanOrEqual(57);
    for (let done = 0; done < 2_000; await pause(1)) {
      const batch = inbox.messages.slice(done);
      for (const { ack } of batch) ack();
      done += batch.length;
    }
    await eventually(() => broker.count('puback') === 2_000);
    expect([broker.sockets.length, transport.status().held]).toEqual([1, 0]);
  });

  it('reports a message that is too large, acknowledges it and takes the next', async () => {
    const { broker, transport, inbox } = await openScripted();
    broker.last.write(publishPacket(up('sensor'), Buffer.alloc(10_000_000, 'x'), 1));
    broker.last.write(publishPacket(up('sensor'), 'small', 2));
    await eventually(() => broker.count('puback') === 2);
    expect(inbox.oversize).toMatchObject([
      { topic: up('sensor'), bytes: 10_000_000, sender: { kind: 'broker' } },
    ]);
    expect([inbox.texts, transport.status().dropped]).toEqual([['small'], { oversize: 1 }]);
  });

  it('connects anew when the stream makes no sense, or a refusal may have passed', async () => {
    const { broker, transport } = await openScripted();
    broker.last.write(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await eventually(() => broker.sockets.length === 2 && transport.status().connected);
    broker.answers = (packet, socket) => {
      if (packet.cmd === 'connect')
        socket.write(encode({ cmd: 'connack', returnCode: 5, sessionPresent: false }));
    };
    broker.last.destroy();
    await eventually(() => broker.sockets.length >= 4);
    expect(transport.status().connected).toBe(false);
    broker.answers = agreeable;
    await eventually(() => transport.status().connected);
    expect(transport.status().dropped).toMatchObject({ malformed: 1 });
  });

  it('is not connected while a subscription is refused', async () => {
    const broker = new ScriptedBroker();
    broker.answers = (packet, socket) => {
      if (packet.cmd === 'subscribe')
        socket.write(encode({ cmd: 'suback', messageId: 1, granted: [1, 128] }));
      else agreeable(packet, socket);
    };
    const told: unknown[] = [];
    const log = (_event: string, { reason }: Record<string, unknown>) => told.push(reason);
    const transport = createTransport(await broker.listen(), new Inbox(), { log });
    await startTransport(transport, new Inbox());
    await eventually(() => told.length >= 2);
    expect([transport.status().connected, told[0]]).toEqual([
      false,
      'subscription refused: headrace/v1/+/state',
    ]);
  });

  it('notices a broker that has fallen silent', async () => {
    const { broker } = await openScripted({ keepaliveS: 1 });
    broker.answers = (packet, socket) => packet.cmd !== 'pingreq' && agreeable(packet, socket);
    await eventually(() => broker.sockets.length === 2);
  });

  it('resolves a publish on its acknowledgement, over a lost connection too', async () => {
    const { broker, transport } = await openScripted();
    await transport.publish('headrace/v1/x/down/cmd', 'one', { retain: true });
    broker.answers = (packet, socket) => packet.cmd !== 'publish' && agreeable(packet, socket);
    const second = transport.publish('headrace/v1/x/down/cmd', 'two');
    await eventually(() => broker.count('publish') === 2);
    broker.answers = agreeable;
    broker.last.destroy();
    await second;
    const sent = broker.received.flatMap((packet) => (packet.cmd === 'publish' ? [packet] : []));
    expect(sent.map(({ payload, dup, retain }) => [payload.toString(), dup, retain])).toEqual([
      ['one', false, true],
      ['two', false, false],
      ['two', true, false],
    ]);
  });

  it('keeps a bounded number of its own messages while the broker is away', async () => {
    const { port, close } = await freePort();
    await close();
    const inbox = new Inbox();
    const transport = createTransport(port, inbox, { maxOutgoing: { messages: 2, bytes: 1_000 } });
    await startTransport(transport, inbox);
    const waiting = [transport.publish('a', '1'), transport.publish('a', '2')];
    await expect(transport.publish('a', '3')).rejects.toThrow('too many messages wait for the broker');
    await transport.stop();
    expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(transport.publish('a', '4')).rejects.toThrow('closed');
  });

  it('stops: answers what is stored in time, takes nothing more, says goodbye', async () => {
    const { broker, transport, inbox } = await openScripted({ stopWithinMs: 300 }, slowInbox());
    broker.last.write(Buffer.concat([1, 2].map((id) => publishPacket(up('sensor'), 'x', id))));
    const messages = await inbox.count(2);
    const stopped = transport.stop();
    await pause(50);
    broker.last.write(publishPacket(up('sensor'), 'too late', 3));
    messages[1]?.ack();
    await stopped;
    await eventually(() => broker.count('disconnect') === 1);
    expect([broker.idsOf('puback'), inbox.messages.length]).toEqual([[2], 2]);
    expect(transport.status().connected).toBe(false);
  });

  it.each(['http://host', 'mqtt://', 'host:1883'])('refuses the address %s without repeating it', (url) => {
    expect(() => createTransport(0, new Inbox(), { url })).toThrow(
      'must look like mqtt://user:password@host:1883',
    );
  });
});

describe('the transport against our own broker', () => {
  it('gets again what it had not acknowledged when the connection broke', async () => {
    const { broker } = await openBroker();
    const inbox = slowInbox();
    const transport = await openTransport(broker.port, inbox);
    const gateway = await signIn(broker.port, MAC);
    for (const name of ['a', 'b', 'c']) await gateway.publishAsync(up('sensor'), name, { qos: 1 });
    const messages = await inbox.count(3);
    messages[0]?.ack();
    // Answered after the acknowledgement before it has been read.
    await transport.publish('headrace/live/1', '{}');
    broker.disconnect('server');
    await inbox.count(5);
    await pause(50);
    expect(inbox.texts).toEqual(['a', 'b', 'c', 'b', 'c']);
    for (const { ack } of inbox.messages) ack();
    await transport.publish(`headrace/v1/${MAC}/down/cmd`, '{}');
    expect(transport.status().held).toBe(0);
  });

  it('survives a restart of the broker', async () => {
    const { broker } = await openBroker();
    const { port } = broker;
    const inbox = new Inbox();
    const transport = await openTransport(port, inbox);
    await broker.stop();
    await eventually(() => !transport.status().connected);
    const meanwhile = transport.publish(`headrace/v1/${OTHER_MAC}/state`, 'kept', { retain: true });
    await openBroker({ port });
    await meanwhile;
    await eventually(() => transport.status().connected);
    const gateway = await signIn(port, MAC);
    await gateway.publishAsync(up('hello'), '{}', { qos: 1 });
    await eventually(() => inbox.topics.includes(up('hello')));
  });
});

async function freePort(): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { port, close: () => new Promise((resolve) => server.close(() => resolve())) };
}
