/** Depth of water over a submerged sensor, cm. */
function decodeUplink(input) {
  return decodeMilesight(input.bytes, { '0175': channel('battery', 1, 1), '0377': channel('level', 2, 1) });
}
