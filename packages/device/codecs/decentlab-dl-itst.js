/** Temperature of a surface, by infrared. */
function decodeUplink(input) {
  return decodeDecentlab(input.bytes, [
    {
      words: 2,
      values: function (w, data) {
        data.temperature_target = measured((w[0] - 1000) / 10, '°C');
        data.temperature_head = measured((w[1] - 1000) / 10, '°C');
      },
    },
    battery,
  ]);
}
