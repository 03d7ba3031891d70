/** Flow sensor: FPort 2 the pulses (mode 0 a running total, 1 since the last message), FPort 5 the battery, FPort 4 its settings. */
function decodeUplink(input) {
  var bytes = input.bytes;
  if (input.fPort === 2)
    return bytes.length < 6 ? { errors: ['the message ends early'] } : { data: flow(bytes) };
  if (input.fPort === 5 && bytes.length >= 7) return { data: { BAT: word(bytes, 5) / 1000 } };
  if (input.fPort === 4 && bytes.length >= 7) {
    var period = bytes[0] * 65536 + word(bytes, 1);
    return { data: { TDC: period, Stop_Timer: bytes[4], Alarm_Timer: word(bytes, 5) } };
  }
  return { errors: ['unknown FPort'] };
}

function flow(bytes) {
  var pulses = word(bytes, 1) * 65536 + word(bytes, 3);
  var flag = bytes[0] >> 2;
  // Pulses per litre of the three sizes of meter.
  var perLitre = flag === 2 ? 60 : flag === 1 ? 360 : 450;
  var data = {
    MOD: bytes[5],
    Calculate_flag: flag,
    Alarm: bytes[0] & 0x02 ? 'TRUE' : 'FALSE',
    Water_flow_value: Math.round((pulses * 10) / perLitre) / 10,
  };
  data[bytes[5] === 1 ? 'Last_pulse' : 'Total_pulse'] = pulses;
  return data;
}
