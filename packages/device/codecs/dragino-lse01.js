/** Soil moisture, temperature and conductivity; a DS18B20 may hang beside it. */
function decodeUplink(input) {
  var bytes = input.bytes;
  if (input.fPort !== 2) return { errors: ['unknown FPort'] };
  if (bytes.length < 10) return { errors: ['the message ends early'] };
  // In raw mode the words behind the temperature are counts of the converter.
  if (bytes.length > 10 && bytes[10] & 0x80)
    return {
      data: { Bat: volts(bytes, 0), TempC_DS18B20: signedWord(bytes, 2) / 10 },
      warnings: ['the sensor is in raw mode: set it to mode 0'],
    };
  return {
    data: {
      Bat: volts(bytes, 0),
      TempC_DS18B20: signedWord(bytes, 2) / 10,
      water_SOIL: word(bytes, 4) / 100,
      temp_SOIL: signedWord(bytes, 6) / 100,
      conduct_SOIL: word(bytes, 8),
    },
  };
}
