/** Soil moisture (not calibrated to a soil) and temperature at eight depths; depth 0 is the highest. */
function decodeUplink(input) {
  return decodeDecentlab(input.bytes, [
    {
      words: 16,
      values: function (w, data) {
        for (var depth = 0; depth < 8; depth += 1) {
          data['soil_moisture_at_depth_' + depth] = measured((w[2 * depth] - 2500) / 500);
          data['soil_temperature_at_depth_' + depth] = measured(signed(w[2 * depth + 1]) / 100, '°C');
        }
      },
    },
    battery,
  ]);
}
