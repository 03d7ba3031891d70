/** Distances by radar, cm, of its two readings, with its alarm and interrupt. */
function decodeUplink(input) {
  var bytes = input.bytes;
  if (input.fPort !== 2) return { errors: ['unknown FPort'] };
  if (bytes.length < 7) return { errors: ['the message ends early'] };
  return {
    data: {
      Bat: word(bytes, 0) / 1000,
      dis1: word(bytes, 2),
      dis2: word(bytes, 4),
      DALARM_count: bytes[6] >> 2,
      Distance_alarm: (bytes[6] >> 1) & 1,
      Interrupt_alarm: bytes[6] & 1,
    },
  };
}
