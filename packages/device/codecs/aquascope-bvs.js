/** Ball valve with leak detector: byte 0 bit 5 the valve, bit 0 a leak (FPort 10 only), bytes 2 and 3 the temperature in °C. */
function decodeUplink(input) {
  var bytes = input.bytes;
  if (input.fPort !== 10 && input.fPort !== 16) return { errors: ['unknown FPort'] };
  if (bytes.length < 4) return { errors: ['the message ends early'] };
  var raw = bytes[2] * 256 + bytes[3];
  var data = { valve: bytes[0] & 0x20 ? 'On' : 'Off', temperature: raw > 32767 ? raw - 65536 : raw };
  if (input.fPort === 10) data.leak = bytes[0] & 0x01 ? 'Y' : 'N';
  return { data: data };
}
