/** T-Valve's five bytes, all but the bit of the valve: why it reports, states as bits, how long it took to move (s), battery (V). */
function details(bytes) {
  var reasons = ['keepalive', 'testButtonPressed', 'floodDetected', 'controlButtonPressed', 'fraudDetected'];
  function bit(index, place) {
    return ((bytes[index] >> place) & 1) === 1;
  }
  return {
    reason: reasons[bytes[0] >> 5] || 'unknown',
    boxTamper: bit(0, 3),
    floodDetectionWireState: bit(0, 2),
    flood: bit(0, 1),
    magnet: bit(0, 0),
    alarmValidated: bit(1, 7),
    manualOpenIndicator: bit(1, 6),
    manualCloseIndicator: bit(1, 5),
    closeTime: bytes[2],
    openTime: bytes[3],
    battery: (bytes[4] * 8 + 1600) / 1000,
  };
}
