/** Soil temperature, moisture (in half or hundredths of a percent) and conductivity. */
function decodeUplink(input) {
  return decodeMilesight(input.bytes, {
    '0175': channel('battery', 1, 1),
    '0367': channel('temperature', 2, 0.1, signed16),
    '0468': channel('moisture', 1, 0.5),
    '04ca': channel('moisture', 2, 0.01),
    '057f': channel('ec', 2, 1),
  });
}
