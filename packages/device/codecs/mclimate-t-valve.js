/** Water valve: why it reports and its state as bits; longer messages add how long it took to move (s) and the battery. */
function decodeUplink(input) {
  var bytes = input.bytes;
  if (bytes.length < 2) return { errors: ['the message ends early'] };
  var reasons = [
    '',
    'keepalive',
    'testButtonPressed',
    'floodDetected',
    'controlButtonPressed',
    'fraudDetected',
  ];
  function bit(index, place) {
    return ((bytes[index] >> place) & 1) === 1;
  }
  var data = {
    reason: reasons[bytes[0] >> 5] || 'unknown',
    valveState: bit(0, 4),
    boxTamper: bit(0, 3),
    floodDetectionWireState: bit(0, 2),
    flood: bit(0, 1),
    magnet: bit(0, 0),
    alarmValidated: bit(1, 7),
    manualOpenIndicator: bit(1, 6),
    manualCloseIndicator: bit(1, 5),
  };
  if (bytes.length >= 5) {
    data.closeTime = bytes[2];
    data.openTime = bytes[3];
    data.battery = (bytes[4] * 8 + 1600) / 1000;
  }
  return { data: data };
}
