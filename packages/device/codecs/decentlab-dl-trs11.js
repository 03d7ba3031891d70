/** Soil moisture and temperature, TEROS 11. */
/** METER's calibration for mineral soil; `raw` are the counts that the probe gives. */
function teros(raw, data) {
  var root = ((2.887e-9 * raw - 2.08e-5) * raw + 5.276e-2) * raw - 43.39;
  data.dielectric_permittivity = measured(root * root);
  data.volumetric_water_content = measured(raw * 0.0003879 - 0.6956, 'm3/m3');
}

function decodeUplink(input) {
  return decodeDecentlab(input.bytes, [
    {
      words: 2,
      values: function (w, data) {
        teros(w[0] / 10, data);
        data.soil_temperature = measured(signed(w[1]) / 10, '°C');
      },
    },
    battery,
  ]);
}
