/** What Dragino's sensors have in common: big-endian words, the battery in mV in the lower 14 bits. */
function word(bytes, at) {
  return bytes[at] * 256 + bytes[at + 1];
}

function signedWord(bytes, at) {
  var value = word(bytes, at);
  return value > 32767 ? value - 65536 : value;
}

function volts(bytes, at) {
  return (word(bytes, at) & 0x3fff) / 1000;
}
