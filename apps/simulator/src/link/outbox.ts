import type { MqttClient } from 'mqtt';

export type Letter = { readonly topic: string; readonly payload: string; readonly retain: boolean };
type Waiting = Letter & { resolve: () => void; reject: (error: Error) => void };

/** More than this is never kept: the oldest goes, as in a device whose memory is full. */
const mostLetters = 5000;

/** What the broker has not acknowledged yet, oldest first; it outlives connections. */
export function createOutbox() {
  const letters = new Set<Waiting>();

  function send(client: MqttClient, letter: Waiting): void {
    client.publish(letter.topic, letter.payload, { qos: 1, retain: letter.retain }, (error) => {
      // With an error it stays, and goes out with the next connection.
      if (!error && letters.delete(letter)) letter.resolve();
    });
  }

  return {
    size: () => letters.size,
    /** Sends at once where there is a connection; resolves when it has been acknowledged. */
    add: (letter: Letter, client: MqttClient | null): Promise<void> =>
      new Promise((resolve, reject) => {
        const waiting: Waiting = { ...letter, resolve, reject };
        letters.add(waiting);
        if (letters.size > mostLetters) discardOldest();
        if (client) send(client, waiting);
      }),
    sendAll: (client: MqttClient): void => {
      for (const letter of letters) send(client, letter);
    },
    fail: (error: Error): void => {
      for (const letter of letters) letter.reject(error);
      letters.clear();
    },
  };

  function discardOldest(): void {
    for (const oldest of letters) {
      letters.delete(oldest);
      oldest.reject(new Error('too many messages wait for the broker'));
      return;
    }
  }
}
