/** Temperature of a surface with that of the air and its humidity. */
function decodeUplink(input) {
  return decodeDecentlab(input.bytes, [
    {
      words: 2,
      values: function (w, data) {
        data.air_temperature = measured((175 * w[0]) / 65535 - 45, '°C');
        data.air_humidity = measured((100 * w[1]) / 65535, '%');
      },
    },
    {
      words: 2,
      values: function (w, data) {
        data.surface_temperature = measured((w[0] - 1000) / 10, '°C');
        data.head_temperature = measured((w[1] - 1000) / 10, '°C');
      },
    },
    battery,
  ]);
}
