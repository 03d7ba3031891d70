/** Weight and strain, by a vibrating wire. Frequency 15383.72 Hz and factor 46.4859 are of one sensor: its order code holds them. */
function decodeUplink(input) {
  return decodeDecentlab(input.bytes, [
    {
      words: 3,
      values: function (w, data) {
        var frequency = (w[0] / w[1]) * 32768;
        var weight = ((frequency * frequency - 15383.72 * 15383.72) * 46.4859) / 1000000;
        var elongation = ((weight * -1.5) / 1000) * 9.8067;
        data.counter_reading = measured(w[0]);
        data.measurement_interval = measured(w[1] / 32768);
        data.frequency = measured(frequency, 'Hz');
        data.weight = measured(weight, 'g');
        data.elongation = measured(elongation, 'µm');
        data.strain = measured(elongation / 0.066, 'µm/m');
      },
    },
    battery,
  ]);
}
