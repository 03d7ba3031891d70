/** Weather station. Precipitation is that of the time since the message before. */
function decodeUplink(input) {
  return decodeDecentlab(input.bytes, [
    {
      words: 17,
      values: function (w, data) {
        data.solar_radiation = measured(signed(w[0]), 'W/m²');
        data.precipitation = measured(signed(w[1]) / 1000, 'mm');
        data.lightning_strike_count = measured(signed(w[2]));
        data.lightning_average_distance = measured(signed(w[3]), 'km');
        data.wind_speed = measured(signed(w[4]) / 100, 'm/s');
        data.wind_direction = measured(signed(w[5]) / 10, '°');
        data.maximum_wind_speed = measured(signed(w[6]) / 100, 'm/s');
        data.air_temperature = measured(signed(w[7]) / 10, '°C');
        data.vapor_pressure = measured(signed(w[8]) / 100, 'kPa');
        data.atmospheric_pressure = measured(signed(w[9]) / 100, 'kPa');
        data.relative_humidity = measured(signed(w[10]) / 10, '%');
        data.sensor_temperature_internal = measured(signed(w[11]) / 10, '°C');
        data.x_orientation_angle = measured(signed(w[12]) / 10, '°');
        data.y_orientation_angle = measured(signed(w[13]) / 10, '°');
        data.compass_heading = measured(signed(w[14]), '°');
        data.north_wind_speed = measured(signed(w[15]) / 100, 'm/s');
        data.east_wind_speed = measured(signed(w[16]) / 100, 'm/s');
      },
    },
    battery,
  ]);
}
