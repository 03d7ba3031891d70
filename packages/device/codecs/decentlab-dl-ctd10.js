/** Depth, temperature and conductivity of water. */
function decodeUplink(input) {
  return decodeDecentlab(input.bytes, [
    {
      words: 4,
      values: function (w, data) {
        data.water_depth = measured(signed(w[0]), 'mm');
        data.temperature = measured(signed(w[1]) / 10, '°C');
        data.electrical_conductivity = measured(w[2], 'uS/cm');
        data.freezing_flag = measured(w[3]);
      },
    },
    battery,
  ]);
}
