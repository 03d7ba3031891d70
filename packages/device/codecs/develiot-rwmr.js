/** Two pulse counters, battery and temperature: byte 0 holds firmware and services, then two totals of 32 bits, little-endian. */
function decodeUplink(input) {
  var bytes = input.bytes;
  if (input.fPort !== 12) return { errors: ['unknown FPort'] };
  if (bytes.length < 11) return { errors: ['the message ends early'] };
  function total(at) {
    return bytes[at] + bytes[at + 1] * 256 + bytes[at + 2] * 65536 + bytes[at + 3] * 16777216;
  }
  function hundredths(value) {
    return Math.round(value * 100) / 100;
  }
  var names = ['PULSE_COUNTER1', 'PULSE_COUNTER2', 'TEMPERATURE'];
  var services = names.filter(function (_name, bit) {
    return (bytes[0] >> bit) & 1;
  });
  return {
    data: {
      type: 'status',
      hardwareVersion: 8,
      firmwareVersion: bytes[0] >> 4,
      activatedServices: services.map(function (name) {
        return 'LORASENSE_REPORT_SERVICE_' + name;
      }),
      pulseCounter1: total(1),
      pulseCounter2: total(5),
      batteryLevel: hundredths((bytes[9] * 3.3) / 255),
      temperature: hundredths((bytes[10] * 90) / 255 - 30),
    },
  };
}
