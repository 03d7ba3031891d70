/** Distance or level, by ultrasound. */
function decodeUplink(input) {
  return decodeDecentlab(input.bytes, [
    {
      words: 2,
      values: function (w, data) {
        data.distance = measured(w[0], 'mm');
        data.number_of_valid_samples = measured(w[1]);
      },
    },
    battery,
  ]);
}
