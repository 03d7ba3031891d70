/** What Mosquitto says of itself, and what to make of it. Other brokers say it elsewhere or not at all. */
export interface BrokerQueue {
  readonly hints: { topics: readonly string[]; hear(topic: string, text: string): void };
  /** Messages that wait at the broker, those for everyone and those it keeps as retained; null: it doesn't say. */
  waiting(): number | null;
  /** Thrown away since its start because too many waited; null: it doesn't say. */
  dropped(): number | null;
  /** For /readyz: what is lost or soon will be; null when all is well. */
  trouble(): string | null;
}

interface QueueOptions {
  /** How many messages the broker keeps for one client: `max_queued_messages`. */
  max: number;
  /** More of them were thrown away. */
  onDropped(howMany: number): void;
  now?: () => number;
}

/** https://mosquitto.org/man/mosquitto-8.html */
const WAITING = '$SYS/broker/store/messages/count';
const DROPPED = '$SYS/broker/publish/messages/dropped';
/** A loss is told this long, ms. */
const TELL_FOR_MS = 3_600_000;
/** From this part of what it keeps on, it is told that it is filling up. */
const NEARLY = 0.5;

/** Once its queue is full, Mosquitto still acknowledges messages and then drops them. Only a counter shows it, which is watched here. */
export function watchBrokerQueue({
  max,
  onDropped,
  now = () => performance.now(),
}: QueueOptions): BrokerQueue {
  let waiting: number | null = null;
  let dropped: number | null = null;
  let lost = { messages: 0, at: Number.NEGATIVE_INFINITY };

  function hearDropped(count: number): void {
    // It counts from its own start: a smaller number is another start.
    const more = dropped === null || count < dropped ? 0 : count - dropped;
    dropped = count;
    if (more === 0) return;
    const isSame = now() - lost.at < TELL_FOR_MS;
    lost = { messages: more + (isSame ? lost.messages : 0), at: now() };
    onDropped(more);
  }

  return {
    hints: {
      topics: [WAITING, DROPPED],
      hear(topic, text) {
        const count = Number(text);
        if (text === '' || !Number.isInteger(count) || count < 0) return;
        if (topic === WAITING) waiting = count;
        else hearDropped(count);
      },
    },
    waiting: () => waiting,
    dropped: () => dropped,
    trouble() {
      if (now() - lost.at < TELL_FOR_MS)
        return `the broker threw away ${lost.messages} messages that it had acknowledged, since more waited than it keeps (${max})`;
      if (waiting !== null && waiting > max * NEARLY)
        return `warning: ${waiting} messages wait at the broker, and of more than ${max} it throws away what comes`;
      return null;
    },
  };
}
