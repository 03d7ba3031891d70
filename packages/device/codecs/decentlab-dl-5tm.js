/** Soil moisture by the dielectric permittivity (Topp 1980), and temperature. */
function decodeUplink(input) {
  return decodeDecentlab(input.bytes, [
    {
      words: 2,
      values: function (w, data) {
        var e = w[0] / 50;
        data.dielectric_permittivity = measured(e);
        data.volumetric_water_content = measured(
          ((0.0000043 * e - 0.00055) * e + 0.0292) * e - 0.053,
          'm3/m3',
        );
        data.soil_temperature = measured((w[1] - 400) / 10, '°C');
      },
    },
    battery,
  ]);
}
