/** Wind and air temperature. */
function decodeUplink(input) {
  return decodeDecentlab(input.bytes, [
    {
      words: 8,
      values: function (w, data) {
        data.wind_speed = measured(signed(w[0]) / 100, 'm/s');
        data.wind_direction = measured(signed(w[1]) / 10, '°');
        data.maximum_wind_speed = measured(signed(w[2]) / 100, 'm/s');
        data.air_temperature = measured(signed(w[3]) / 10, '°C');
        data.x_orientation_angle = measured(signed(w[4]) / 10, '°');
        data.y_orientation_angle = measured(signed(w[5]) / 10, '°');
        data.north_wind_speed = measured(signed(w[6]) / 100, 'm/s');
        data.east_wind_speed = measured(signed(w[7]) / 100, 'm/s');
      },
    },
    battery,
  ]);
}
