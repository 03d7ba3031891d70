/** Distance by ultrasound, mm. */
function decodeUplink(input) {
  return decodeMilesight(input.bytes, {
    '0175': channel('battery', 1, 1),
    '0382': channel('distance', 2, 1),
  });
}
