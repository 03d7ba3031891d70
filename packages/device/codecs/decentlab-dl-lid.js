/** Distance, by laser: how the samples of one measurement spread. */
function decodeUplink(input) {
  return decodeDecentlab(input.bytes, [
    {
      words: 11,
      values: function (w, data) {
        var names = [
          'average',
          'minimum',
          'maximum',
          'median',
          '10th_percentile',
          '25th_percentile',
          '75th_percentile',
        ];
        names.push('90th_percentile', 'most_frequent_value');
        for (var index = 0; index < names.length; index += 1)
          data['distance_' + names[index]] = measured(w[index], 'mm');
        data.number_of_samples = measured(w[9]);
        data.total_acquisition_time = measured(w[10] / 1.024, 'ms');
      },
    },
    battery,
  ]);
}
