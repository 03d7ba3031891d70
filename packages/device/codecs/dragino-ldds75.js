/** Distance by ultrasound, mm: 0 without a sensor, below 20 no echo. From 8 bytes on with a DS18B20 and a flag for the sensor. */
function decodeUplink(input) {
  var bytes = input.bytes;
  if (input.fPort !== 2) return { errors: ['unknown FPort'] };
  if (bytes.length < 4) return { errors: ['the message ends early'] };
  var data = { Bat: volts(bytes, 0) };
  var hasSensor = bytes.length < 8 ? bytes.length > 4 : bytes[7] === 1;
  if (!hasSensor) data.distance = 'No Sensor';
  else data.distance = word(bytes, 2) < 20 ? 'Invalid Reading' : word(bytes, 2);
  if (bytes.length >= 8) data.TempC_DS18B20 = signedWord(bytes, 5) / 10;
  return { data: data };
}
