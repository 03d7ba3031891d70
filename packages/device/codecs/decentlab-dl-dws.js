/** Weight, by a vibrating wire. The three numbers are of one scale: the order code 232263168-302459-1370 holds them. */
function decodeUplink(input) {
  return decodeDecentlab(input.bytes, [
    {
      words: 3,
      values: function (w, data) {
        var frequency = (w[0] / w[1]) * 32768;
        data.frequency = measured(frequency, 'Hz');
        data.weight = measured((frequency * frequency - 232263168) * 0.000302459 + 1370, 'g');
      },
    },
    battery,
  ]);
}
