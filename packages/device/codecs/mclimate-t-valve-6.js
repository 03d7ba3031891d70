/** Water valve of firmware 6.0 and later: two bytes with the valve and two temperatures (0.5 °C), or five of details without the valve. */
function decodeUplink(input) {
  var bytes = input.bytes;
  if (bytes.length < 2) return { errors: ['the message ends early'] };
  if (bytes.length === 2)
    return {
      data: {
        reason: 'keepalive',
        valveState: bytes[1] >> 7 === 1,
        waterTemp: bytes[0] / 2,
        ambientTemp: ((bytes[1] & 0x7f) - 20) / 2,
      },
    };
  if (bytes.length === 5) return { data: details(bytes) };
  return { errors: ['a message of ' + bytes.length + ' bytes is not of firmware 6.0'] };
}
