/** What is kept of a farm's messages that were not taken. */
export interface LetterBounds {
  /** Different reasons, senders and devices. */
  readonly rowsPerFarm: number;
  /** Whole messages of one reason, sender and device. */
  readonly messagesPerRow: number;
  /** Whole messages of a farm on one day (UTC), and how many bytes they may have. */
  readonly messagesADay: number;
  readonly bytesADay: number;
  /** Of a farm in all, bytes: beyond, its own oldest go. */
  readonly bytesPerFarm: number;
  /** What waits for our clock, bytes a farm. */
  readonly heldBytesPerFarm: number;
}

const MIB = 1024 * 1024;

/**
 * A sensor that nobody has added yet sends 96 messages a day of some 300 bytes: 1,000 are ten days of it. The largest farm (5,400
 * units, each heard eight times a day) sends some 4 MB a day in all, so that two weeks of everything it says fit while our clock is wrong.
 */
export const letterBounds: LetterBounds = {
  rowsPerFarm: 500,
  messagesPerRow: 1000,
  messagesADay: 5000,
  bytesADay: 8 * MIB,
  bytesPerFarm: 64 * MIB,
  heldBytesPerFarm: 64 * MIB,
};
